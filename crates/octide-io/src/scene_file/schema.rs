//! The JSON schema of scene files, for editors that complete keys and mark mistakes during typing.
//!
//! It is generated from the table of all keys. Conditions on the whole scene, such as whole numbers of cells,
//! are left to `octide check`.

#[cfg(test)]
mod tests;

use super::keys::{Allowed, Combination, Fallback, Key, SCENE, SHAPE, Section};
use super::range::Range;
use octide_core::contract::Abilities;
use serde_json::{Map, Value, json};

/// Returns the schema of scenes for some methods, in draft 7 of JSON Schema, which most editors read.
pub fn schema(methods: &[Abilities]) -> Value {
    let methods: Vec<&str> = methods.iter().map(|m| m.name).collect();
    let mut root = table(&SCENE, &methods);
    root["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    root["description"] = json!("A scene of Octide");
    root["definitions"] = json!({ "shape": table(&SHAPE, &methods), "vector": list(3, number(Range::ANY)) });
    root
}

fn table(section: &Section, methods: &[&str]) -> Value {
    let properties: Map<String, Value> =
        section.keys.iter().map(|key| (key.name.to_owned(), property(key, methods))).collect();
    let required: Vec<&str> = section
        .keys
        .iter()
        .filter(|key| matches!(key.fallback, Fallback::Required(_)))
        .map(|key| key.name)
        .collect();
    let mut table = json!({
        "title": section.title, "type": "object", "properties": properties, "required": required,
        "additionalProperties": false,
    });
    let sets = |sets: &[&[&str]]| sets.iter().map(|keys| json!({ "required": keys })).collect::<Vec<_>>();
    match section.combination {
        Combination::Free => {}
        Combination::ExactlyOne(keys) => table["oneOf"] = json!(sets(keys)),
        Combination::AtLeastOne(keys) => table["anyOf"] = json!(sets(keys)),
        Combination::OneKey => {
            table["minProperties"] = json!(1);
            table["maxProperties"] = json!(1);
        }
    }
    table
}

fn property(key: &Key, methods: &[&str]) -> Value {
    let mut value = value(key.allowed, methods);
    // In draft 7, everything beside a reference is ignored.
    if value.get("$ref").is_none() && !key.meaning.is_empty() {
        let plain = key.meaning.replace("\\|", "|").replace('`', "");
        let unit = if key.unit.is_empty() { String::new() } else { format!(" ({})", key.unit) };
        value["description"] = json!(format!("{plain}{unit}"));
    }
    value
}

fn value(allowed: Allowed, methods: &[&str]) -> Value {
    match allowed {
        Allowed::Text | Allowed::Name => json!({ "type": "string" }),
        Allowed::Flag => json!({ "type": "boolean" }),
        Allowed::True => json!({ "type": "boolean", "enum": [true] }),
        Allowed::Number(range) => number(range),
        Allowed::Whole(low, high) => whole(low, high),
        Allowed::Word(words) => json!({ "type": "string", "enum": words() }),
        Allowed::Words(words) => {
            json!({ "type": "array", "items": { "type": "string", "enum": words() }, "uniqueItems": true })
        }
        Allowed::Method => json!({ "type": "string", "enum": methods }),
        Allowed::Vector(Range::ANY) | Allowed::Direction => json!({ "$ref": "#/definitions/vector" }),
        Allowed::Vector(range) => list(3, number(range)),
        Allowed::Numbers(n, range) => list(n, number(range)),
        Allowed::Wholes(n, low, high) => list(n, whole(low, high)),
        Allowed::Shape => json!({ "$ref": "#/definitions/shape" }),
        Allowed::Shapes => {
            json!({ "type": "array", "items": { "$ref": "#/definitions/shape" }, "minItems": 1 })
        }
        Allowed::Table(section) => table(section, methods),
        Allowed::Tables(section) => {
            let mut list = json!({ "type": "array", "items": table(section, methods) });
            // Sections may repeat any number of times, parts of values need at least one.
            if section.path.is_none() {
                list["minItems"] = json!(1);
            }
            list
        }
    }
}

fn number(range: Range) -> Value {
    let Range { min, max, open } = range;
    let mut number = json!({ "type": "number" });
    if min.is_finite() {
        number[if open { "exclusiveMinimum" } else { "minimum" }] = json!(min);
    }
    if max.is_finite() {
        number[if open { "exclusiveMaximum" } else { "maximum" }] = json!(max);
    }
    number
}

fn whole(low: u64, high: u64) -> Value {
    json!({ "type": "integer", "minimum": low, "maximum": high })
}

fn list(n: usize, item: Value) -> Value {
    json!({ "type": "array", "items": item, "minItems": n, "maxItems": n })
}
