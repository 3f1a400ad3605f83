//! Mistakes that tests can switch on: see [`octide_core::faults`].

octide_core::declare_faults! {
    /// Faces are as open as the volume around them, not as their own area.
    VolumeFractions,
    /// The small cells at a T-junction count with the wrong sign in the pressure's gradient.
    FlippedTJunction,
    /// φ is carried on as it is, never made a distance again.
    NoRedistancing,
    /// Gravity does not act along z.
    NoGravityAlongZ,
    /// p = 0 at the centers of air cells, not on the surface.
    FirstOrderSurface,
    /// θ is floored at 10⁻².
    ThetaFloor,
    /// Eq. (24) divides by φ summed over all cells of the face, those in the air too.
    DepthOfAll,
    /// Lost volume is not given back.
    NoVolumeCorrection,
    /// The pressure solve stops at a relative residual of 10⁻².
    LooseSolve,
    /// The volume is summed in an order that threads decide.
    UnorderedSum,
    /// Surface tension pulls without the projection's gradient factor.
    TensionWithoutFactor,
    /// The curvature is that of the liquid cells, not of the surface.
    CurvatureOffSurface,
}
