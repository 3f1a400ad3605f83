//! The scene's text as a tree of values with their positions. Keys keep the order of the file.

use super::place::{At, Fault};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and its position.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub value: Value,
    pub at: At,
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    String(String),
    /// Whole numbers of any size are kept; the range is checked on use.
    Integer(i128),
    Float(f64),
    Bool(bool),
    Datetime,
    Array(Vec<Node>),
    Table(Vec<Entry>),
}

/// A key of a table, its position, and its value.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub key: String,
    pub key_at: At,
    pub node: Node,
}

impl Node {
    /// Returns a key of a table.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        match &self.value {
            Value::Table(entries) => entries.iter().find(|e| e.key == key),
            _ => None,
        }
    }

    /// Returns the key at a dotted path, the first one if there are lists along the path.
    pub fn find(&self, path: &str) -> Option<&Entry> {
        self.find_all(path).into_iter().next()
    }

    /// Returns the keys at a dotted path, those of all items if there are lists along the path.
    pub fn find_all(&self, path: &str) -> Vec<&Entry> {
        match &self.value {
            Value::Array(items) => items.iter().flat_map(|item| item.find_all(path)).collect(),
            Value::Table(_) => match path.split_once('.') {
                None => self.entry(path).into_iter().collect(),
                Some((first, rest)) => self.entry(first).map_or(Vec::new(), |e| e.node.find_all(rest)),
            },
            _ => Vec::new(),
        }
    }

    /// Removes the keys at a dotted path, those of all items if there are lists along the path.
    pub fn remove_all(&mut self, path: &str) {
        match &mut self.value {
            Value::Array(items) => items.iter_mut().for_each(|item| item.remove_all(path)),
            Value::Table(entries) => match path.split_once('.') {
                None => entries.retain(|e| e.key != path),
                Some((first, rest)) => {
                    entries.iter_mut().filter(|e| e.key == first).for_each(|e| e.node.remove_all(rest));
                }
            },
            _ => {}
        }
    }
}

impl Value {
    /// Returns the value as a message names it.
    pub fn described(&self) -> String {
        match self {
            Self::String(s) => format!("the text {s:?}"),
            Self::Integer(i) => format!("{i}"),
            Self::Float(x) => format!("{x}"),
            Self::Bool(b) => format!("{b}"),
            Self::Datetime => "a date".to_owned(),
            Self::Array(a) => format!("a list of {}", a.len()),
            Self::Table(_) => "a table".to_owned(),
        }
    }
}

/// Parses the scene's text.
pub(super) fn parse(text: &str) -> Result<Node, Fault> {
    let table = DeTable::parse(text).map_err(|e| syntax_fault(&e, 0, 0, text.len()))?;
    convert_table(table.into_inner(), At::TOP, 0, 0)
}

/// Parses the value of override number `source`, which starts `shift` bytes into the override's text.
pub(super) fn parse_value(text: &str, source: usize, shift: usize) -> Result<Node, Fault> {
    let value = DeValue::parse(text).map_err(|e| syntax_fault(&e, source, shift, text.len()))?;
    convert(value, source, shift)
}

fn syntax_fault(error: &toml::de::Error, source: usize, shift: usize, len: usize) -> Fault {
    let span = error.span().unwrap_or(len..len);
    let at = At { source, start: span.start + shift, end: span.end + shift };
    let message = error.message();
    if message.starts_with("duplicate key") {
        return Fault::new(at, "this key or section appears twice").help(
            "keep one of the two; sections that may repeat have two brackets on each side, such as [[liquid]]",
        );
    }
    if message.starts_with("string values must be quoted") {
        return Fault::new(at, "there is no valid TOML value here")
            .help("write text in \"quotes\", numbers as 1, 2.5 or 1e-4, and lists as [1, 2, 3]");
    }
    let fault = Fault::new(at, format!("not valid TOML: {message}"));
    match REMEDIES.iter().find(|(start, _)| message.starts_with(start)) {
        Some((_, remedy)) => fault.help(*remedy),
        None => fault,
    }
}

/// Remedies, each with the beginning of the parser's message that it applies to.
const REMEDIES: &[(&str, &str)] = &[
    ("invalid mantissa", "a number begins with a digit: write 0.1 instead of .1"),
    ("invalid fraction", "a digit must follow the decimal point: write 1.0 instead of 1."),
    ("invalid exponent", "a whole number must follow the e: write for example 1e-4"),
    ("unexpected leading zero", "a number does not begin with extra zeros: write 1 instead of 01"),
    ("redundant numeric sign", "a number has at most one sign: write for example -1"),
    ("invalid float", "write numbers without a unit: 0.5 for half a meter"),
    ("invalid boolean", "write true and false in lowercase"),
    (
        "unexpected key or value",
        "write one key per line, and decimal points instead of commas: 1.5 instead of 1,5",
    ),
    ("`_` may only go", "write the number without `_`"),
    ("cannot recurse further", "this is nested too deeply; a union takes any number of shapes side by side"),
    ("unclosed array", "close the list with ]"),
    ("unclosed inline table", "close the table with }, on the same line"),
    ("invalid literal string", "close the text with the quote that it begins with"),
    ("invalid basic string", "close the text with the quote that it begins with"),
];

fn convert(spanned: Spanned<DeValue<'_>>, source: usize, shift: usize) -> Result<Node, Fault> {
    let span = spanned.span();
    let at = At { source, start: span.start + shift, end: span.end + shift };
    let value = match spanned.into_inner() {
        DeValue::String(s) => Value::String(s.into_owned()),
        DeValue::Integer(i) => Value::Integer(i128::from_str_radix(i.as_str(), i.radix()).map_err(|_| {
            Fault::new(at, "this whole number is not valid or is far too large")
                .help("write fewer digits, or use an exponent such as 1e6")
        })?),
        // Digits and exponents that overflow give an infinity here, which no key accepts.
        DeValue::Float(x) => {
            Value::Float(x.as_str().parse().map_err(|_| Fault::new(at, "this number is not valid"))?)
        }
        DeValue::Boolean(b) => Value::Bool(b),
        DeValue::Datetime(_) => Value::Datetime,
        DeValue::Array(items) => {
            Value::Array(items.into_iter().map(|v| convert(v, source, shift)).collect::<Result<_, _>>()?)
        }
        DeValue::Table(table) => return convert_table(table, at, source, shift),
    };
    Ok(Node { value, at })
}

fn convert_table(table: DeTable<'_>, at: At, source: usize, shift: usize) -> Result<Node, Fault> {
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table {
        let span = key.span();
        let key_at = At { source, start: span.start + shift, end: span.end + shift };
        entries.push(Entry {
            key: key.into_inner().into_owned(),
            key_at,
            node: convert(value, source, shift)?,
        });
    }
    entries.sort_by_key(|e| e.key_at.start);
    Ok(Node { value: Value::Table(entries), at })
}
