//! Octide scene files in; meshes, statistics and frames out.
