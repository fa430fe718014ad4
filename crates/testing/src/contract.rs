//! The contract of the widget API: the examples in `docs/widget-api.openapi.yaml`.

use std::{collections::BTreeMap, sync::LazyLock};

use serde_json::Value;

const DOCUMENT: &str = include_str!("../../../docs/widget-api.openapi.yaml");

static EXAMPLES: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| {
    let mut examples = BTreeMap::new();
    collect(&document(), &mut examples);
    examples
});

fn document() -> Value {
    serde_saphyr::from_str(DOCUMENT).unwrap()
}

/// The body in an example, by the example's name: `<call>.request`, `<call>.response` or
/// `error.<name>`. Panics if there is none.
pub fn example(name: &str) -> &'static Value {
    EXAMPLES
        .get(name)
        .unwrap_or_else(|| panic!("the document has no example {name}"))
}

/// The examples of failures.
pub fn error_examples() -> impl Iterator<Item = (&'static str, &'static Value)> {
    EXAMPLES
        .iter()
        .map(|(name, body)| (name.as_str(), body))
        .filter(|(name, _)| name.starts_with("error."))
}

fn collect(node: &Value, examples: &mut BTreeMap<String, Value>) {
    match node {
        Value::Object(fields) => {
            if let Some(Value::Object(found)) = fields.get("examples") {
                for (name, example) in found {
                    examples.insert(name.clone(), example["value"].clone());
                }
            }
            for field in fields.values() {
                collect(field, examples);
            }
        }
        Value::Array(elements) => {
            for element in elements {
                collect(element, examples);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a value matches a schema. Panics on a keyword that it does not know.
    fn matches(root: &Value, schema: &Value, value: &Value) -> bool {
        let is_type = |name: &Value| match name.as_str().unwrap() {
            "null" => value.is_null(),
            "string" => value.is_string(),
            "integer" => value.is_i64(),
            "number" => value.is_number(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => panic!("an unknown type: {other}"),
        };
        let length = value.as_str().map_or(0, |text| text.chars().count() as u64);
        let keywords = schema.as_object();
        let keywords = keywords.unwrap_or_else(|| panic!("no schema of {value}"));
        keywords
            .iter()
            .all(|(keyword, rule)| match keyword.as_str() {
                "description" | "contentMediaType" => true,
                "$ref" => {
                    let path = rule.as_str().unwrap().trim_start_matches('#');
                    matches(root, root.pointer(path).unwrap(), value)
                }
                "type" => match rule {
                    Value::Array(types) => types.iter().any(is_type),
                    one => is_type(one),
                },
                "oneOf" => {
                    let schemas = rule.as_array().unwrap().iter();
                    schemas
                        .filter(|schema| matches(root, schema, value))
                        .count()
                        == 1
                }
                "enum" => rule.as_array().unwrap().contains(value),
                "minLength" => !value.is_string() || length >= rule.as_u64().unwrap(),
                "maxLength" => !value.is_string() || length <= rule.as_u64().unwrap(),
                "required" => {
                    let mut names = rule.as_array().unwrap().iter();
                    names.all(|name| value.get(name.as_str().unwrap()).is_some())
                }
                "properties" => {
                    let mut fields = value.as_object().into_iter().flatten();
                    fields.all(|(name, field)| matches(root, &rule[name], field))
                }
                "items" => {
                    let mut rows = value.as_array().into_iter().flatten();
                    rows.all(|row| matches(root, rule, row))
                }
                "pattern" if rule == r"\S" => {
                    value.as_str().is_some_and(|text| !text.trim().is_empty())
                }
                other => panic!("an unknown keyword: {other}"),
            })
    }

    /// Checks the examples that are beside a schema. Returns how many there are.
    fn check(root: &Value, node: &Value) -> usize {
        let here = match (node.get("schema"), node.get("examples")) {
            (Some(schema), Some(Value::Object(examples))) => {
                for (name, example) in examples {
                    assert!(matches(root, schema, &example["value"]), "{name}");
                }
                examples.len()
            }
            _ => 0,
        };
        let inside = match node {
            Value::Object(fields) => fields.values().map(|field| check(root, field)).sum(),
            Value::Array(elements) => elements.iter().map(|element| check(root, element)).sum(),
            _ => 0,
        };
        here + inside
    }

    #[test]
    fn every_example_matches_its_schema() {
        let document = document();
        assert!(check(&document, &document) > 20);
    }
}
