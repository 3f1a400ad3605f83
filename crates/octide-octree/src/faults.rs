//! Deliberate mistakes that tests can switch on: see [`octide_core::faults`].

octide_core::declare_faults! {
    /// The open fraction of faces is that of the volume around them, not of their own area.
    VolumeFractions,
    /// Small faces at a T-junction are open by the fraction of the large one.
    EvenTJunctions,
    /// The small cells at a T-junction have the wrong sign in the pressure gradient.
    FlippedTJunction,
    /// φ is advected but never redistanced.
    NoRedistancing,
    /// Gravity does not act along z.
    NoGravityAlongZ,
    /// p = 0 at the centers of air cells, not on the surface.
    FirstOrderSurface,
    /// θ is floored at 10⁻².
    ThetaFloor,
    /// Eq. (24) divides by the sum of φ over all cells of the face, including those in the air.
    DepthOfAll,
    /// Lost volume is not restored.
    NoVolumeCorrection,
    /// The pressure solve stops at a relative residual of 10⁻².
    LooseSolve,
    /// The order in which the volume is summed depends on the threads.
    UnorderedSum,
    /// Surface tension acts without the projection's gradient factor.
    TensionWithoutFactor,
    /// The curvature is that of the liquid cells, not of the surface.
    CurvatureOffSurface,
}
