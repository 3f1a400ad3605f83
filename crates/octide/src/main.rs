//! The command `octide`.
fn main() {}
