//! Adaptive octree liquids after Ando and Batty 2020.
