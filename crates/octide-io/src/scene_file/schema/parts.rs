//! What tables of the schema are made of: numbers, words, vectors, shapes, and tables themselves.

use serde_json::{Map, Value, json};

/// A table by its name in messages: its keys, and which of them must be there.
pub(super) fn table(title: &str, needed: &[&str], keys: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> = keys.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect();
    json!({
        "title": title, "type": "object", "properties": properties, "required": needed,
        "additionalProperties": false,
    })
}

/// A table of which at least one, or with `one` just one, of some sets of keys must be there.
pub(super) fn choosing(mut table: Value, one: bool, sets: &[&[&str]]) -> Value {
    let sets: Vec<Value> = sets.iter().map(|keys| json!({ "required": keys })).collect();
    table[if one { "oneOf" } else { "anyOf" }] = json!(sets);
    table
}

/// A value with a line on what it is.
pub(super) fn about(text: &str, mut value: Value) -> Value {
    value["description"] = json!(text);
    value
}

pub(super) fn number() -> Value {
    json!({ "type": "number" })
}

pub(super) fn positive() -> Value {
    json!({ "type": "number", "exclusiveMinimum": 0 })
}

pub(super) fn not_negative() -> Value {
    json!({ "type": "number", "minimum": 0 })
}

pub(super) fn from_to(low: f64, high: f64) -> Value {
    json!({ "type": "number", "minimum": low, "maximum": high })
}

pub(super) fn between(low: f64, high: f64) -> Value {
    json!({ "type": "number", "exclusiveMinimum": low, "exclusiveMaximum": high })
}

pub(super) fn whole(low: u64, high: u64) -> Value {
    json!({ "type": "integer", "minimum": low, "maximum": high })
}

pub(super) fn yes_or_no() -> Value {
    json!({ "type": "boolean" })
}

pub(super) fn text() -> Value {
    json!({ "type": "string" })
}

pub(super) fn words(words: &[&str]) -> Value {
    json!({ "type": "string", "enum": words })
}

pub(super) fn vector_of(item: Value) -> Value {
    json!({ "type": "array", "items": item, "minItems": 3, "maxItems": 3 })
}

pub(super) fn vector() -> Value {
    json!({ "$ref": "#/definitions/vector" })
}

pub(super) fn a_shape() -> Value {
    json!({ "$ref": "#/definitions/shape" })
}

pub(super) fn several(item: Value) -> Value {
    json!({ "type": "array", "items": item })
}

pub(super) fn shapes() -> Value {
    json!({ "type": "array", "items": a_shape(), "minItems": 1 })
}
