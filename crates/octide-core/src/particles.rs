//! Particles that are advected with the fluid, and spray in free flight.
//!
//! | module | job |
//! |---|---|
//! | `motion` | the midpoint rule, ballistic flight, and collision with solids ([`Surroundings`]) |
//! | `walls` | the domain's box, which particles leave through open sides only ([`Walls`]) |
//! | `momentum` | momentum that removed particles transfer to the velocity on faces ([`Delivery`]) |
//! | `place` | the position of a leaf, for random numbers ([`place_among_leaves`]) |
//! | `joined` | spray as balls in the surface's mesh ([`show_spray`]) |
//! | `shown` | particles as the columns of a frame ([`ShownParticle`]) |
//! | [`level_set`] | markers of both signs that correct a level set |

mod joined;
pub mod level_set;
mod momentum;
mod motion;
mod place;
mod shown;
#[cfg(test)]
mod tests;
mod walls;

pub use joined::show_spray;
pub use momentum::{Delivery, deliver_in_turn, deliver_together};
pub use motion::{Surroundings, fall, midpoint_displacement, push_out};
pub use place::place_among_leaves;
pub use shown::ShownParticle;
pub use walls::Walls;
