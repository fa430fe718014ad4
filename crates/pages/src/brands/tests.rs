//! Rules of the style sheets, and `style/tokens.css` as data: the tokens of both themes, and the roles that must contrast.

use std::{collections::HashMap, fs, path::Path};

use super::Color;

const SOURCE: &str = include_str!("../../../../style/tokens.css");

/// A ground, a minimum contrast in both themes, and the roles that meet that ground on a screen.
type Contrast = (&'static str, f64, &'static [&'static str]);

const CONTRASTS: &[Contrast] = &[
    ("page", 7.0, &["text"]),
    ("page", 4.5, &["text-muted", "action-text", "danger-text"]),
    ("page", 3.0, &["border-strong", "action", "danger", "success-mark", "focus"]),
    ("surface", 7.0, &["text"]),
    ("surface", 4.5, &["text-muted", "action-text", "danger-text"]),
    ("surface", 3.0, &["border-strong", "action", "danger", "success-mark", "focus"]),
    ("sunken", 7.0, &["text"]),
    ("sunken", 4.5, &["text-muted", "action-text"]),
    ("sunken", 3.0, &["border-strong", "focus"]),
    ("primary", 7.0, &["on-primary"]),
    ("primary", 4.5, &["on-primary-muted"]),
    ("primary", 3.0, &["focus-on-primary"]),
    ("action", 4.5, &["on-action"]),
    ("action-hover", 4.5, &["on-action"]),
    ("danger", 4.5, &["on-danger"]),
    ("danger-hover", 4.5, &["on-danger"]),
    ("disabled", 4.5, &["on-disabled"]),
    ("disabled", 3.0, &["border-strong"]),
    ("warning", 4.5, &["on-warning"]),
    ("toast-error", 4.5, &["on-toast"]),
    ("toast-success", 4.5, &["on-toast"]),
    ("toast-info", 4.5, &["on-toast"]),
    ("monogram", 4.5, &["on-monogram"]),
];

/// The two colour schemes of the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    Light,
    Dark,
}

/// Every token by name, as written: a value, or `var(--another)`. Dark has only those that differ.
#[derive(Debug, Clone, Default)]
pub struct Tokens {
    light: HashMap<String, String>,
    dark: HashMap<String, String>,
}

/// Two roles that are used together, and their minimum contrast.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    pub text: String,
    pub ground: String,
    pub minimum: f64,
}

impl Tokens {
    /// The tokens of the repository's style sheet.
    pub fn of_product() -> Self {
        Self::parse(SOURCE)
    }

    fn parse(source: &str) -> Self {
        let mut tokens = Self::default();
        let mut blocks: Vec<&str> = Vec::new();
        let mut rest = &*without_comments(source);
        while let Some(end) = rest.find(['{', ';', '}']) {
            let (text, mark) = (rest[..end].trim(), &rest[end..=end]);
            if mark == "{" {
                blocks.push(text);
            } else if let Some((name, value)) = text.split_once(':').filter(|_| text.starts_with("--")) {
                let media = blocks.iter().find_map(|block| block.strip_prefix("@media"));
                let values = match media {
                    None => Some(&mut tokens.light),
                    Some(media) if media.contains("prefers-color-scheme: dark") => Some(&mut tokens.dark),
                    // Sizes that depend on the width of the screen.
                    Some(_) => None,
                };
                values.and_then(|values| values.insert(name.trim().to_owned(), value.trim().to_owned()));
            }
            if mark == "}" {
                blocks.pop();
            }
            rest = &rest[end + 1..];
        }
        tokens
    }

    /// The colour of a token; `None` if it has none or a translucent one.
    pub fn color(&self, name: &str, scheme: Scheme) -> Option<Color> {
        let mut name = name;
        // A chain longer than the number of names is a cycle.
        for _ in 0..=self.light.len() {
            let value = self.value(name, scheme)?;
            match value.strip_prefix("var(").and_then(|rest| rest.strip_suffix(')')) {
                Some(next) => name = next,
                None => return value.parse().ok(),
            }
        }
        None
    }

    /// The contrast of two roles; 0 if one has no colour.
    fn contrast(&self, pair: &Pair, scheme: Scheme) -> f64 {
        let color = |name: &str| self.color(name, scheme);
        color(&pair.text).zip(color(&pair.ground)).map_or(0.0, |(text, on)| text.contrast(on))
    }

    fn value(&self, name: &str, scheme: Scheme) -> Option<&str> {
        let dark = self.dark.get(name).filter(|_| scheme == Scheme::Dark);
        dark.or_else(|| self.light.get(name)).map(String::as_str)
    }
}

/// Every pair of [`CONTRASTS`].
pub fn pairs() -> impl Iterator<Item = Pair> {
    let name = |role: &str| format!("--color-{role}");
    CONTRASTS.iter().flat_map(move |&(ground, minimum, texts)| {
        texts.iter().map(move |text| Pair { text: name(text), ground: name(ground), minimum })
    })
}

fn without_comments(source: &str) -> String {
    let mut parts = source.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.filter_map(|part| part.split_once("*/")).fold(first, |kept, (_, after)| kept + after)
}

/// Each style sheet with its path, without comments.
fn sheets() -> Vec<(String, String)> {
    fn walk(folder: &Path, sheets: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, sheets);
            } else if path.extension().is_some_and(|extension| extension == "css") {
                let source = without_comments(&fs::read_to_string(&path).unwrap());
                sheets.push((path.canonicalize().unwrap().display().to_string(), source));
            }
        }
    }
    let mut sheets = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    walk(&root.join("style"), &mut sheets);
    walk(&root.join("src/gallery"), &mut sheets);
    assert!(sheets.len() > 20, "found {}", sheets.len());
    sheets
}

/// Names that a sheet declares: `--name:` outside of `var()`.
fn declared(source: &str) -> impl Iterator<Item = &str> {
    source.split(['{', ';', '}']).filter_map(|text| text.trim().split_once(':')).map(|(name, _)| name.trim())
}

#[test]
fn every_pair_holds_in_light_and_dark() {
    let tokens = Tokens::of_product();
    assert_eq!(pairs().count(), 37);
    for (pair, scheme) in pairs().flat_map(|pair| [Scheme::Light, Scheme::Dark].map(|scheme| (pair.clone(), scheme))) {
        let contrast = tokens.contrast(&pair, scheme);
        assert!(contrast >= pair.minimum, "{scheme:?} {pair:?}: {contrast}");
    }
}

#[test]
fn a_missing_or_weak_colour_has_no_contrast() {
    let pair = Pair { text: "--a".to_owned(), ground: "--b".to_owned(), minimum: 3.0 };
    let source = ":root { --p: #777777; --a: var(--p); --b: #ffffff; } \
                  @media (prefers-color-scheme: dark) { :root { --p: #999999; } }";
    assert!((Tokens::parse(source).contrast(&pair, Scheme::Dark) - 2.85).abs() < 0.01);
    assert!(Tokens::parse(source).contrast(&pair, Scheme::Light) > 4.0);
    for source in [":root { --b: #ffffff }", ":root { --a: var(--b); --b: var(--a); }"] {
        assert_eq!(Tokens::parse(source).contrast(&pair, Scheme::Light), 0.0);
    }
}

#[test]
fn every_token_that_is_used_exists() {
    let sheets = sheets();
    let known: Vec<&str> = sheets.iter().flat_map(|(_, source)| declared(source)).collect();
    for (path, source) in &sheets {
        for used in source.split("var(").skip(1) {
            let name = used.split([')', ',']).next().unwrap().trim();
            assert!(known.contains(&name), "{path}: {name}");
        }
    }
}

#[test]
fn raw_colours_stand_in_the_palette_only() {
    let functions = ["rgb(", "rgba(", "hsl(", "hsla(", "hwb(", "lab(", "lch(", "oklab(", "oklch(", "color("];
    let names = ["white", "black", "red", "green", "blue", "gray", "grey", "silver", "orange", "yellow", "purple"];
    for (path, source) in sheets().iter().filter(|(path, _)| !path.ends_with("tokens.css")) {
        for declaration in source.split(['{', ';', '}']).filter(|text| text.contains(':')) {
            // An image in a data: URL is a mask, so its colour is never visible.
            if declaration.contains("url(") {
                continue;
            }
            let value = declaration.split_once(':').map_or("", |(_, value)| value);
            assert!(!value.contains('#'), "{path}: {declaration}");
            assert!(!functions.iter().any(|function| value.contains(function)), "{path}: {declaration}");
            let mut words = value.split(|c: char| !(c.is_alphanumeric() || c == '-'));
            assert!(!words.any(|word| names.contains(&word)), "{path}: {declaration}");
        }
    }
}

#[test]
fn components_use_roles_and_never_the_palette() {
    for (path, source) in sheets().iter().filter(|(path, _)| !path.ends_with("tokens.css")) {
        assert!(!source.contains("--palette-"), "{path}");
    }
}
