//! Sparse systems and their solvers for fluid simulation.
