//! Preview pictures of Octide frames on the CPU.
