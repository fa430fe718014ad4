//! Rules of the style sheets, and `style/tokens.css` as data: the tokens of both themes, and the
//! roles that must contrast.

use std::{collections::HashMap, fs, path::Path};

use super::Color;

const SOURCE: &str = include_str!("../../style/tokens.css");

/// A ground, a minimum contrast in both themes, and the roles that meet that ground on a screen.
type Contrast = (&'static str, f64, &'static [&'static str]);

const CONTRASTS: &[Contrast] = &[
    ("page", 7.0, &["text"]),
    ("page", 4.5, &["text-muted", "action-text", "danger-text"]),
    (
        "page",
        3.0,
        &["border-strong", "action", "danger", "success-mark", "focus"],
    ),
    ("surface", 7.0, &["text"]),
    (
        "surface",
        4.5,
        &["text-muted", "action-text", "danger-text"],
    ),
    (
        "surface",
        3.0,
        &["border-strong", "action", "danger", "success-mark", "focus"],
    ),
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
            } else if let Some((name, value)) =
                text.split_once(':').filter(|_| text.starts_with("--"))
            {
                let media = blocks.iter().find_map(|block| block.strip_prefix("@media"));
                let values = match media {
                    None => Some(&mut tokens.light),
                    Some(media) if media.contains("prefers-color-scheme: dark") => {
                        Some(&mut tokens.dark)
                    }
                    // Sizes that depend on the width of the screen.
                    Some(_) => None,
                };
                values.and_then(|values| {
                    values.insert(name.trim().to_owned(), value.trim().to_owned())
                });
            }
            if mark == "}" {
                blocks.pop();
            }
            rest = &rest[end + 1..];
        }
        tokens
    }

    /// The colour of a role.
    pub fn color(&self, role: &str, scheme: Scheme) -> Color {
        let mut value = &*format!("var(--color-{role})");
        while let Some(name) = value
            .strip_prefix("var(")
            .and_then(|rest| rest.strip_suffix(')'))
        {
            let dark = self.dark.get(name).filter(|_| scheme == Scheme::Dark);
            value = dark
                .or_else(|| self.light.get(name))
                .unwrap_or_else(|| panic!("no token {name}"));
        }
        value
            .parse()
            .unwrap_or_else(|_| panic!("{role} is {value}"))
    }
}

/// Each ground and text of [`CONTRASTS`], with their minimum.
pub fn pairs() -> impl Iterator<Item = (&'static str, &'static str, f64)> {
    CONTRASTS.iter().flat_map(|&(ground, minimum, texts)| {
        texts.iter().map(move |&text| (ground, text, minimum))
    })
}

fn without_comments(source: &str) -> String {
    let mut parts = source.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts
        .filter_map(|part| part.split_once("*/"))
        .fold(first, |kept, (_, after)| kept + after)
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    walk(&root.join("style"), &mut sheets);
    assert!(sheets.len() > 20, "found {}", sheets.len());
    sheets
}

/// Names that a sheet declares: `--name:` outside of `var()`.
fn declared(source: &str) -> impl Iterator<Item = &str> {
    source
        .split(['{', ';', '}'])
        .filter_map(|text| text.trim().split_once(':'))
        .map(|(name, _)| name.trim())
}

#[test]
fn every_pair_meets_contrast_in_both_themes() {
    let tokens = Tokens::of_product();
    assert_eq!(pairs().count(), 36);
    for ((ground, text, minimum), scheme) in
        pairs().flat_map(|pair| [(pair, Scheme::Light), (pair, Scheme::Dark)])
    {
        let contrast = tokens
            .color(text, scheme)
            .contrast(tokens.color(ground, scheme));
        assert!(
            contrast >= minimum,
            "{scheme:?} {text} on {ground}: {contrast}"
        );
    }
}

#[test]
fn every_used_token_is_declared() {
    let sheets = sheets();
    let known: Vec<&str> = sheets
        .iter()
        .flat_map(|(_, source)| declared(source))
        .collect();
    for (path, source) in &sheets {
        for used in source.split("var(").skip(1) {
            let name = used.split([')', ',']).next().unwrap().trim();
            assert!(known.contains(&name), "{path}: {name}");
        }
    }
}

#[test]
fn only_palette_declares_colors() {
    let functions = ["rgb", "hsl", "hwb(", "lab(", "lch(", "color("];
    let names = [
        "white", "black", "red", "green", "blue", "gray", "grey", "silver", "orange", "yellow",
        "purple",
    ];
    for (path, source) in sheets()
        .iter()
        .filter(|(path, _)| !path.ends_with("tokens.css"))
    {
        assert!(!source.contains("--palette-"), "{path}");
        // An image in a data: URL is a mask, so its colour is never visible.
        let declarations = source
            .split(['{', ';', '}'])
            .filter(|text| !text.contains("url("));
        for (_, value) in declarations.filter_map(|text| text.split_once(':')) {
            assert!(!value.contains('#'), "{path}: {value}");
            assert!(
                !functions.iter().any(|function| value.contains(function)),
                "{path}: {value}"
            );
            let mut words = value.split(|c: char| !(c.is_alphanumeric() || c == '-'));
            assert!(!words.any(|word| names.contains(&word)), "{path}: {value}");
        }
    }
}
