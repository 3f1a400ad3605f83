//! Names of numbered files: `body_####.obj` or `body_%04d.obj`.

use std::path::Path;

/// A number has at most this many digits.
const MAX_DIGITS: usize = 9;

/// A file's name with a place for a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pattern {
    before: String,
    after: String,
    /// Shorter numbers begin with zeros.
    digits: usize,
}

impl Pattern {
    /// Returns the pattern in the name of a file, or what is wrong with it and what to do.
    pub fn of(path: &Path) -> Result<Self, (String, String)> {
        let example = "write for example path = \"body_####.obj\" for body_0001.obj, body_0002.obj and so on";
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            return Err(("`path` has no file name".to_owned(), example.to_owned()));
        };
        let places = places(name);
        let message = match places.as_slice() {
            [] => format!("{name:?} has no place for the number of a frame"),
            [(start, end, digits)] if *digits <= MAX_DIGITS => {
                let (before, after) = (name[..*start].to_owned(), name[*end..].to_owned());
                return Ok(Self { before, after, digits: *digits });
            }
            [_] => format!("{name:?} has numbers of more than {MAX_DIGITS} digits"),
            _ => format!("{name:?} has {} places for the number of a frame", places.len()),
        };
        let help = if places.is_empty() {
            format!("{example}; a single file is shape.mesh")
        } else {
            example.to_owned()
        };
        Err((message, help))
    }

    /// Returns the name of the file with a number.
    pub fn name(&self, number: u32) -> String {
        format!("{}{number:0digits$}{}", self.before, self.after, digits = self.digits)
    }

    /// Returns the number of a file if its name follows the pattern.
    pub fn number(&self, name: &str) -> Option<u32> {
        let digits = name.strip_prefix(&self.before)?.strip_suffix(&self.after)?;
        let is_number =
            (1..=MAX_DIGITS).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
        let number = digits.parse().ok().filter(|_| is_number)?;
        (self.name(number) == name).then_some(number)
    }

    /// Returns the name with the place for the number.
    pub fn text(&self) -> String {
        format!("{}{}{}", self.before, "#".repeat(self.digits.max(1)), self.after)
    }
}

/// Returns where numbers are in a name, and their least number of digits.
fn places(name: &str) -> Vec<(usize, usize, usize)> {
    let bytes = name.as_bytes();
    let mut found = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let run = |from: usize, is: fn(u8) -> bool| bytes[from..].iter().take_while(|b| is(**b)).count();
        let hashes = run(i, |b| b == b'#');
        let figures = if bytes[i] == b'%' { run(i + 1, |b| b.is_ascii_digit()) } else { 0 };
        if hashes > 0 {
            found.push((i, i + hashes, hashes));
            i += hashes;
        } else if bytes[i] == b'%' && bytes.get(i + 1 + figures) == Some(&b'd') {
            let digits = name[i + 1..i + 1 + figures].parse().unwrap_or(1);
            found.push((i, i + figures + 2, digits));
            i += figures + 2;
        } else {
            i += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_and_percent_signs_are_places_for_numbers() {
        let of = |name: &str| Pattern::of(Path::new(name));
        for (name, digits) in
            [("a#b/body_####.obj", 4), ("body_%04d.obj", 4), ("body_#.obj", 1), ("body_%d.obj", 1)]
        {
            let pattern = of(name).unwrap();
            let seven = if digits == 4 { "body_0007.obj" } else { "body_7.obj" };
            assert_eq!(pattern.name(7), seven);
            assert_eq!(pattern.number(seven), Some(7));
            assert_eq!(pattern.number("body_12345.obj"), Some(12345));
            for other in
                ["body_.obj", "body_007.obj", "body_-007.obj", "body_0007.ply", "Body_0007.obj", "body_0007"]
            {
                assert_eq!(pattern.number(other), None, "{other}");
            }
        }
        for bad in [
            "",
            "..",
            "body.obj",
            "a####/body.obj",
            "a#_b#.obj",
            "##########.obj",
            "100%.obj",
            "%",
            "%04",
            "%99999999999999999999d",
        ] {
            assert!(of(bad).is_err() || bad.ends_with("9d"), "{bad}");
        }
    }
}
