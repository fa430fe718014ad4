//! The built files of one React island, and its prerendered HTML.

use std::collections::HashMap;

use html_escape::encode_quoted_attribute_to_string;
use serde::Deserialize;

/// The built files of one React island.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
pub struct IslandBundle {
    /// Address of the module that exports `mount`.
    pub js: String,
    /// Its static imports, preloaded with it: otherwise React would start only after the wasm has run.
    #[serde(default)]
    pub imports: Vec<String>,
    /// Its dynamic imports.
    #[serde(default)]
    pub preload: Vec<String>,
    /// The screens prerendered at build time, by name, with `{{name}}` in the place of each text of the session.
    #[serde(default)]
    pub screens: HashMap<String, String>,
    /// Of the consent: which texts its screens are.
    #[serde(default)]
    pub texts: ConsentHashes,
}

/// The texts of the consent, each as its SHA-256 in hexadecimal digits (`docs/consent/`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
pub struct ConsentHashes {
    /// The text for companies.
    pub company: String,
    /// The text for individuals.
    pub individual: String,
    /// The text for clients of a firm that says itself what for; the purpose is not part of it.
    pub own: String,
    /// All that were ever shown.
    pub known: Vec<String>,
}

/// The built files of a wasm module.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
pub struct WasmModule {
    /// Address of the JavaScript glue that instantiates it.
    pub js: String,
    pub wasm: String,
}

impl IslandBundle {
    /// A prerendered screen with the escaped texts filled in. They occur in text and in quoted attributes only.
    pub fn screen(&self, name: &str, texts: &[(&str, &str)]) -> Option<String> {
        let html = self.screens.get(name)?;
        let mut rest = html.as_str();
        let mut filled = String::with_capacity(html.len());
        // One pass, so that a text that looks like a placeholder is not filled in again.
        while let Some((before, (name, after))) =
            rest.split_once("{{").and_then(|(b, a)| Some((b, a.split_once("}}")?)))
        {
            filled.push_str(before);
            if let Some((_, text)) = texts.iter().find(|(known, _)| *known == name) {
                encode_quoted_attribute_to_string(text, &mut filled);
            }
            rest = after;
        }
        Some(filled + rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(html: &str, texts: &[(&str, &str)]) -> String {
        let screens = HashMap::from([("it".to_owned(), html.to_owned())]);
        IslandBundle { screens, ..IslandBundle::default() }.screen("it", texts).unwrap()
    }

    #[test]
    fn texts_are_filled_in_once_and_escaped() {
        let html = r#"<b>{{firm}}</b><i title="{{name}}">{{name}}</i>{{unknown}}"#;
        assert_eq!(
            filled(html, &[("firm", "A & B <script>"), ("name", r#"{{firm}} "x" 'y'"#)]),
            "<b>A &amp; B &lt;script&gt;</b><i title=\"{{firm}} &quot;x&quot; &#x27;y&#x27;\">{{firm}} &quot;x&quot; &#x27;y&#x27;</i>"
        );
        assert_eq!(filled("no names {{ here", &[]), "no names {{ here");
    }
}
