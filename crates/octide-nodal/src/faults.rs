//! Mistakes that tests can switch on: see [`octide_core::faults`].

octide_core::declare_faults! {
    /// Faces are as open as the volume around them, not as their own area.
    VolumeFractions,
    /// At T-junctions the pressure's gradient is divided by the edge of the large cell where the velocity is
    /// updated, but not where the system is assembled.
    OtherDistanceInUpdate,
    /// φ is carried on as it is, never made a distance again.
    NoRedistancing,
    /// Gravity does not act along z.
    NoGravityAlongZ,
    /// Gravity at T-junctions is that of the face's normal, which no pressure cancels.
    UnbalancedGravity,
    /// Markers that have escaped do not correct φ.
    NoMarkerCorrection,
    /// Lost volume is not given back.
    NoVolumeCorrection,
    /// The pressure solve stops at a relative residual of 10⁻².
    LooseSolve,
    /// The volume is summed in an order that threads decide.
    UnorderedSum,
    /// Hanging corners keep values of their own.
    FreeHangingCorners,
    /// Buoyancy at T-junctions is that of the face's corners, which no pressure cancels.
    UnbalancedBuoyancy,
}
