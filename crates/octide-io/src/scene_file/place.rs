//! Positions in a scene file: ranges of bytes in the scene's text or in one `--set` override, and how
//! messages show them.

use crate::printable::{printable, printable_lines};
use std::fmt;

/// A range of bytes in one of the [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct At {
    /// 0 is the scene's text, `k` the override `k − 1`.
    pub source: usize,
    pub start: usize,
    pub end: usize,
}

impl At {
    /// The first byte of the scene's text.
    pub const TOP: Self = Self { source: 0, start: 0, end: 0 };
}

/// An error at a position.
#[derive(Debug)]
pub(super) struct Fault {
    pub at: At,
    pub message: String,
    pub help: Option<String>,
}

impl Fault {
    pub fn new(at: At, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), help: None }
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a remedy unless there is already one.
    pub fn help_if_none(mut self, help: Option<&str>) -> Self {
        self.help = self.help.or_else(|| help.map(str::to_owned));
        self
    }
}

/// All texts that a scene is read from.
pub(super) struct Sources<'a> {
    /// The name of the scene's text in messages, usually its path.
    pub label: &'a str,
    pub text: &'a str,
    /// `key=value` of each override.
    pub overrides: Vec<String>,
}

impl Sources<'_> {
    /// Turns a fault into a message with its position. Everything in it may come from the scene, so all of it
    /// is made printable here.
    pub fn diagnose(&self, fault: Fault) -> Diagnostic {
        let Fault { at, message, help } = fault;
        let is_override = at.source > 0;
        let text = if is_override { self.overrides[at.source - 1].as_str() } else { self.text };
        let start = floor_char(text, at.start);
        let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
        // A byte order mark is invisible.
        let shown_start =
            if text[line_start..].starts_with('\u{feff}') { line_start + 3 } else { line_start };
        let start = start.max(shown_start);
        let line_text = printable_lines(text[shown_start..line_end.max(shown_start)].trim_end_matches('\r'));
        let end = floor_char(text, at.end).clamp(start, line_end.max(start));
        let before = printable_lines(&text[shown_start..start]);
        Diagnostic {
            message: printable(&message).to_string(),
            help: help.map(|help| printable(&help).to_string()),
            file: if is_override { "--set".to_owned() } else { printable(self.label).to_string() },
            position: (!is_override).then(|| {
                let line = text[..line_start].matches('\n').count() + 1;
                (line, text[shown_start..start].chars().count() + 1)
            }),
            indent: before.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect(),
            marked: printable_lines(text[start..end].trim_end()).chars().count().max(1),
            line_text,
        }
    }
}

fn floor_char(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A message about a scene: what is wrong, where, and what to do. It is shown over several lines, with the
/// line in question and a mark under the relevant part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    message: String,
    help: Option<String>,
    file: String,
    position: Option<(usize, usize)>,
    line_text: String,
    indent: String,
    marked: usize,
}

impl Diagnostic {
    /// Returns what is wrong, in one sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns what to do, if there is a suggestion.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// Returns the file that contains the position, or `--set`.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns line and column, both from 1, in characters; `None` for an override.
    pub fn position(&self) -> Option<(usize, usize)> {
        self.position
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.position.map_or(String::new(), |(line, _)| line.to_string());
        let gutter = " ".repeat(number.len());
        writeln!(f, "{}", self.message)?;
        match self.position {
            Some((line, column)) => writeln!(f, "{gutter}--> {}:{line}:{column}", self.file)?,
            None => writeln!(f, "{gutter}--> {}", self.file)?,
        }
        writeln!(f, "{gutter} |")?;
        writeln!(f, "{number} | {}", self.line_text)?;
        write!(f, "{gutter} | {}{}", self.indent, "^".repeat(self.marked))?;
        if let Some(help) = &self.help {
            write!(f, "\n{gutter} = {help}")?;
        }
        Ok(())
    }
}
