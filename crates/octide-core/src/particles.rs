//! Particles that a fluid carries along, and drops that fly on their own.
//!
//! | module | what it does |
//! |---|---|
//! | `motion` | the midpoint rule, ballistic flight, and what solids do to a particle ([`Surroundings`]) |
//! | `walls` | the domain's box, from which particles leave through open sides only ([`Walls`]) |
//! | `momentum` | what particles that end give to the velocity on faces ([`Delivery`]) |
//! | `place` | where a leaf is, for random numbers ([`place_among_leaves`]) |
//! | `shown` | particles as the columns that frames have ([`ShownParticle`]) |
//! | [`level_set`] | markers of both signs that correct a level set |

pub mod level_set;
mod momentum;
mod motion;
mod place;
mod shown;
#[cfg(test)]
mod tests;
mod walls;

pub use momentum::{Delivery, deliver_in_turn, deliver_together};
pub use motion::{Surroundings, fall, midpoint_way, push_out};
pub use place::place_among_leaves;
pub use shown::ShownParticle;
pub use walls::Walls;
