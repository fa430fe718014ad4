//! The contract of the widget API: the examples in `docs/widget-api.openapi.yaml`.

use std::{collections::BTreeMap, sync::LazyLock};

use serde_json::Value;

const DOCUMENT: &str = include_str!("../../../docs/widget-api.openapi.yaml");

static EXAMPLES: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| {
    let document: Value = serde_saphyr::from_str(DOCUMENT).unwrap();
    let mut examples = BTreeMap::new();
    collect(&document, &mut examples);
    examples
});

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
