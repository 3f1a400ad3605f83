//! Level sets and the surfaces they carry.
