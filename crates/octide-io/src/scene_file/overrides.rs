//! `--set key=value`: values that are inserted into the tree before it is read, at a dotted path such as
//! `time.frames` or `liquid.0.velocity`.

use super::place::{At, Fault};
use super::tree::{Entry, Node, Value, parse_value};

/// Maximum number of parts of a key: no scene needs a quarter of them, and nested tables take stack space.
const MAX_KEY_PARTS: usize = 32;

/// Inserts override number `source` (from 1) into the tree.
pub(super) fn apply(root: &mut Node, key: &str, value: &str, source: usize) -> Result<(), Fault> {
    let mut parts = Vec::new();
    let mut start = 0;
    for part in key.split('.') {
        let at = At { source, start, end: start + part.len() };
        if part.is_empty() {
            return Err(Fault::new(at, "a part of this override's key is empty")
                .help("write a key and a value, such as time.frames=24"));
        }
        if parts.len() == MAX_KEY_PARTS {
            return Err(Fault::new(at, format!("this key has more than {MAX_KEY_PARTS} parts"))
                .help("write a key such as time.frames or liquid.0.velocity"));
        }
        parts.push((part, at));
        start += part.len() + 1;
    }
    let mut new = read_value(value, source, key.len() + 1)?;
    // A missing key inside a table from an override is best reported at the override as a whole.
    if let Value::Table(_) = new.value {
        new.at = At { source, start: 0, end: key.len() + 1 + value.len() };
    }
    insert(root, &parts, new)
}

/// Reads TOML, or a bare word as text: quotes are hard to type in shells.
fn read_value(text: &str, source: usize, shift: usize) -> Result<Node, Fault> {
    match parse_value(text, source, shift) {
        Err(_) if !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "-_./ ".contains(c)) => {
            let at = At { source, start: shift, end: shift + text.len() };
            Ok(Node { value: Value::String(text.to_owned()), at })
        }
        other => other,
    }
}

fn insert(node: &mut Node, parts: &[(&str, At)], new: Node) -> Result<(), Fault> {
    let Some((&(part, at), rest)) = parts.split_first() else {
        *node = new;
        return Ok(());
    };
    match &mut node.value {
        Value::Table(entries) => {
            if let Some(entry) = entries.iter_mut().find(|e| e.key == part) {
                if rest.is_empty() {
                    entry.key_at = at;
                }
                return insert(&mut entry.node, rest, new);
            }
            let mut made = Node { value: Value::Table(Vec::new()), at };
            insert(&mut made, rest, new)?;
            entries.push(Entry { key: part.to_owned(), key_at: at, node: made });
            Ok(())
        }
        Value::Array(items) => {
            let n = items.len();
            match part.parse::<usize>().ok().and_then(|i| items.get_mut(i)) {
                Some(item) => insert(item, rest, new),
                None if n == 0 => Err(Fault::new(at, "this list is empty, so it has no item to set")),
                None if n == 1 => Err(Fault::new(at, format!("this list has no item `{part}`"))
                    .help("its only item has the number 0")),
                None => Err(Fault::new(at, format!("this list has no item `{part}`"))
                    .help(format!("its items are numbered from 0 to {}", n - 1))),
            }
        }
        other => Err(Fault::new(
            at,
            format!(
                "`{part}` cannot be set, because the key before it is {} and not a section",
                other.described()
            ),
        )
        .help(format!("remove `.{part}`, or write the name of a section before it"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_without_end_is_an_error_and_not_a_crash() {
        let at = At { source: 0, start: 0, end: 0 };
        let set = |key: &str| {
            let mut root = Node { value: Value::Table(Vec::new()), at };
            apply(&mut root, key, "1", 1).is_ok()
        };
        assert!(set("time.frames"));
        assert!(!set(&vec!["a"; 1_000_000].join(".")));
    }
}
