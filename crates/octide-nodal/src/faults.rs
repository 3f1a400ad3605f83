//! Deliberate mistakes that tests can switch on: see [`octide_core::faults`].

octide_core::declare_faults! {
    /// The open fraction of a face is taken from the volume around it instead of from its area.
    VolumeFractions,
    /// At T-junctions the pressure's gradient is divided by the edge of the large cell where the velocity is
    /// updated, but not where the system is assembled.
    OtherDistanceInUpdate,
    /// φ is advected but never redistanced.
    NoRedistancing,
    /// Gravity does not act along z.
    NoGravityAlongZ,
    /// Gravity at T-junctions acts along the face's normal, so that no pressure cancels it.
    UnbalancedGravity,
    /// Markers that have escaped do not correct φ.
    NoMarkerCorrection,
    /// Lost volume is not restored.
    NoVolumeCorrection,
    /// The pressure solve stops at a relative residual of 10⁻².
    LooseSolve,
    /// The volume is summed in an order that depends on the threads.
    UnorderedSum,
    /// Hanging corners keep their own values.
    FreeHangingCorners,
    /// Buoyancy at T-junctions is taken from the face's corners, so that no pressure cancels it.
    UnbalancedBuoyancy,
}
