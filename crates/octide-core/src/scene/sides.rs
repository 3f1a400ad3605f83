//! Directions along the axes, and the open sides of the domain.

/// One of the six directions along an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Heading {
    /// 0 is x, 1 is y, 2 is z.
    pub axis: usize,
    /// Whether it points toward increasing coordinates.
    pub forward: bool,
}

impl Heading {
    /// All six directions.
    pub const ALL: [Self; 6] = {
        const fn to(axis: usize, forward: bool) -> Heading {
            Heading { axis, forward }
        }
        [to(0, false), to(0, true), to(1, false), to(1, true), to(2, false), to(2, true)]
    };

    /// Returns 1 or −1.
    pub fn sign(self) -> f64 {
        if self.forward { 1.0 } else { -1.0 }
    }

    /// Returns `+x`, `-x`, `+y` and so on.
    pub const fn name(self) -> &'static str {
        [["-x", "+x"], ["-y", "+y"], ["-z", "+z"]][self.axis][self.forward as usize]
    }
}

/// The open sides of the domain. Water can leave through them and nothing enters; smoke can leave through
/// them and air without smoke enters. The other sides are walls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpenSides {
    /// Whether each side is open: −x, +x, −y, +y, −z, +z.
    pub sides: [bool; 6],
}

impl OpenSides {
    /// Returns a set in which the given sides are open.
    pub fn of(headings: &[Heading]) -> Self {
        let mut open = Self::default();
        for h in headings {
            open.sides[2 * h.axis + usize::from(h.forward)] = true;
        }
        open
    }

    /// Returns whether any side is open.
    pub fn any(self) -> bool {
        self.sides.contains(&true)
    }

    /// Returns the open sides.
    pub fn headings(self) -> impl Iterator<Item = Heading> {
        (0..6).filter(move |&d| self.sides[d]).map(|d| Heading { axis: d / 2, forward: d & 1 == 1 })
    }
}
