//! `--set key=value`: values put into the tree before it is read, at a dotted path such as `time.frames` or
//! `liquid.0.velocity`.

use super::place::{At, Fault};
use super::tree::{Entry, Node, Value, parse_value};

/// Parts that a key may have: no scene has a quarter of them, and tables within tables take the stack.
const DEEPEST: usize = 32;

/// Puts override number `source` (from 1) into the tree.
pub(super) fn apply(root: &mut Node, key: &str, value: &str, source: usize) -> Result<(), Fault> {
    let mut parts = Vec::new();
    let mut start = 0;
    for part in key.split('.') {
        let at = At { source, start, end: start + part.len() };
        if part.is_empty() {
            return Err(Fault::new(at, "an override needs a key, such as time.frames=24"));
        }
        if parts.len() == DEEPEST {
            return Err(Fault::new(at, format!("this key has more than {DEEPEST} parts"))
                .help("keys are as short as time.frames or liquid.0.velocity"));
        }
        parts.push((part, at));
        start += part.len() + 1;
    }
    let mut new = read_value(value, source, key.len() + 1)?;
    // A missing key inside what an override made is best shown at the override as a whole.
    if let Value::Table(_) = new.value {
        new.at = At { source, start: 0, end: key.len() + 1 + value.len() };
    }
    insert(root, &parts, new)
}

/// TOML, or a bare word as text: shells make quotes hard to type.
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
                None if n == 0 => Err(Fault::new(at, "this list is empty: nothing in it can be set")),
                None => Err(Fault::new(at, format!("`{part}` is not the number of an item"))
                    .help(format!("there are {n}, counted from 0"))),
            }
        }
        other => Err(Fault::new(at, format!("`{part}` cannot be set inside {}", other.described()))
            .help("the part of the key before it names a single value, not a section")),
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
