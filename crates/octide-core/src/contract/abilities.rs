//! What a method can do with a scene.

/// What a method can do with a scene. Nothing in a scene is ignored in silence: a key that its method does
/// not read is refused, or told of where the method is not the scene's own choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Abilities {
    /// The method's name, as scenes name it.
    pub name: &'static str,
    /// Whether it simulates water; if so, the keys that mean nothing to it then.
    pub water: Option<Unread>,
    /// Whether it simulates smoke; if so, the keys that mean nothing to it then.
    pub smoke: Option<Unread>,
}

/// Keys of a scene file with dots between their parts, such as `numerics.transfer` or `solid.temperature`; a
/// table stands for all of its keys.
pub type Unread = &'static [&'static str];
