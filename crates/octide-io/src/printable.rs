//! Foreign text in messages: names of files, keys and lines of a scene, arguments.
//!
//! A terminal obeys control characters, and characters without a glyph can hide or reorder what stands around
//! them. Whoever writes a scene or names a file must not control the terminal of the user who reads a message
//! about it, nor make one line look like two. Such characters are shown as escapes: `\u{1b}`, `\n`, and `\xff`
//! for bytes that are not text. Everything else, such as accents, CJK and emoji, stays as it is.

use std::ffi::OsStr;
use std::fmt::{self, Display, Write};

/// Text that is safe to print on a terminal, on one line.
#[derive(Clone, Copy, Debug)]
pub struct Printable<'a>(&'a [u8]);

/// Returns foreign text as messages show it. Everything in a message that does not come from Octide's own
/// source is printed through this.
pub fn printable<T: AsRef<OsStr> + ?Sized>(text: &T) -> Printable<'_> {
    Printable(text.as_ref().as_encoded_bytes())
}

impl Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for c in chunk.valid().chars() {
                match c {
                    '\n' => f.write_str("\\n")?,
                    '\r' => f.write_str("\\r")?,
                    '\t' => f.write_str("\\t")?,
                    c if is_unsafe_to_print(c) => write!(f, "{}", c.escape_unicode())?,
                    c => f.write_char(c)?,
                }
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

/// Returns a whole message as it is printed: as [`printable`], but with its lines and tabs. This is the last
/// line of defense; a foreign text in the message should have been made printable before.
pub fn printable_lines(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    for c in message.chars() {
        match c {
            c if c != '\n' && c != '\t' && is_unsafe_to_print(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// Returns JSON that is safe to print: what [`printable`] escapes is escaped as JSON does, so that it reads as
/// the same value.
pub fn printable_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        // JSON has escaped ASCII controls; all others can only be inside strings.
        if c != '\n' && is_unsafe_to_print(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Returns whether a terminal may obey a character or not show it: controls (Cc), formats (Cf: directions,
/// joiners, tags), separators of lines and paragraphs (Zl, Zp), and letters without a glyph.
pub fn is_unsafe_to_print(c: char) -> bool {
    c.is_control() || UNSAFE.iter().any(|range| range.contains(&c))
}

/// By Unicode 16. Variation selectors are not among them: they belong to ordinary emoji.
const UNSAFE: &[std::ops::RangeInclusive<char>] = &[
    '\u{ad}'..='\u{ad}',
    '\u{34f}'..='\u{34f}',
    '\u{600}'..='\u{605}',
    '\u{61c}'..='\u{61c}',
    '\u{6dd}'..='\u{6dd}',
    '\u{70f}'..='\u{70f}',
    '\u{890}'..='\u{891}',
    '\u{8e2}'..='\u{8e2}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180e}'..='\u{180e}',
    '\u{200b}'..='\u{200f}',
    '\u{2028}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{3164}'..='\u{3164}',
    '\u{feff}'..='\u{feff}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{fff0}'..='\u{fffb}',
    '\u{110bd}'..='\u{110bd}',
    '\u{110cd}'..='\u{110cd}',
    '\u{13430}'..='\u{1343f}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0000}'..='\u{e0fff}',
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn what_a_terminal_obeys_is_escaped_and_what_people_write_is_not() {
        let shown = |text: &str| printable(text).to_string();
        assert_eq!(shown("\x1b[2J\x07\x7f\u{9b}31m"), r"\u{1b}[2J\u{7}\u{7f}\u{9b}31m");
        assert_eq!(shown("a\u{202e}b\u{2066}c\u{200b}d\u{feff}"), r"a\u{202e}b\u{2066}c\u{200b}d\u{feff}");
        assert_eq!(shown("a\nerror: b\r\t\u{2028}"), r"a\nerror: b\r\t\u{2028}");
        let ordinary = "Größe, e\u{301}té, 水しぶき, Ελλάδα, עברית, 한국어, ❤\u{fe0f}, C:\\water\\drop.obj";
        assert_eq!(shown(ordinary), ordinary);
        assert_eq!(printable_lines("a\n\tb\x1b\r\n"), "a\n\tb\\u{1b}\\u{d}\n");
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_not_text_are_shown() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(OsStr::from_bytes(b"a\xff\xc3(\x1b.obj"));
        assert_eq!(printable(path).to_string(), r"a\xff\xc3(\u{1b}.obj");
    }

    #[test]
    fn json_keeps_its_value() {
        let text = "a\u{1b}\u{7f}\u{9b}\u{202e}\u{e0041}\n水";
        let json = serde_json::to_string(text).unwrap();
        let safe = printable_json(&json);
        assert!(!safe.chars().any(is_unsafe_to_print), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), text);
    }

    /// The standard library has the categories of all characters, but tells only that it would escape one.
    #[test]
    fn the_table_has_no_ordinary_character() {
        for c in ('\0'..=char::MAX).filter(|&c| is_unsafe_to_print(c)) {
            assert!(
                c.escape_debug().len() > 1 || matches!(c, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}'),
                "{c:?}"
            );
        }
    }
}
