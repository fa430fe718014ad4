//! `style/tokens.css` as data: the tokens of both themes, and the roles that must contrast.

use std::collections::HashMap;

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
        &[
            "border-strong",
            "action",
            "danger",
            "success-mark",
            "on-warning",
            "focus",
        ],
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
    ("good", 4.5, &["on-good"]),
    ("toast", 4.5, &["on-toast"]),
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

/// A style sheet without its comments.
fn without_comments(source: &str) -> String {
    let mut parts = source.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts
        .filter_map(|part| part.split_once("*/"))
        .fold(first, |kept, (_, after)| kept + after)
}

/// Each ground and text of [`CONTRASTS`], with their minimum.
pub fn pairs() -> impl Iterator<Item = (&'static str, &'static str, f64)> {
    CONTRASTS.iter().flat_map(|&(ground, minimum, texts)| {
        texts.iter().map(move |&text| (ground, text, minimum))
    })
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
