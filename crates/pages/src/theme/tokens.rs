//! Rules of the style sheets, and `style/tokens.css` as data: the tokens of both themes, and the pairs that must contrast.

use std::{collections::HashMap, fs, path::Path};

use super::{Color, Scheme};

const SOURCE: &str = include_str!("../../../../style/tokens.css");

/// Every token by name, as written: a value, or `var(--another)`. Dark has only those that differ.
#[derive(Debug, Clone, Default)]
pub struct Tokens {
    light: HashMap<String, String>,
    dark: HashMap<String, String>,
    pairs: Vec<Pair>,
}

/// A line `pair: --text on --ground minimum`: two roles that are used together, and their minimum contrast.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    pub text: String,
    pub ground: String,
    pub minimum: f64,
}

/// A pair below its minimum contrast.
#[derive(Debug, Clone, PartialEq)]
struct Failing {
    pair: Pair,
    scheme: Scheme,
    contrast: f64,
}

impl Tokens {
    /// The tokens of the repository's style sheet.
    pub fn of_product() -> Self {
        Self::parse(SOURCE)
    }

    fn parse(source: &str) -> Self {
        let mut tokens = Self { pairs: source.lines().filter_map(pair).collect(), ..Self::default() };
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

    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The first pair below its minimum contrast.
    fn failing(&self) -> Option<Failing> {
        let both = |pair: &Pair| [Scheme::Light, Scheme::Dark].map(|scheme| (pair.clone(), scheme));
        self.pairs.iter().flat_map(both).find_map(|(pair, scheme)| {
            let color = |name: &str| self.color(name, scheme);
            // A token without a colour has no contrast.
            let contrast = color(&pair.text).zip(color(&pair.ground)).map_or(0.0, |(text, on)| text.contrast(on));
            (contrast < pair.minimum).then_some(Failing { pair, scheme, contrast })
        })
    }

    fn value(&self, name: &str, scheme: Scheme) -> Option<&str> {
        let dark = self.dark.get(name).filter(|_| scheme == Scheme::Dark);
        dark.or_else(|| self.light.get(name)).map(String::as_str)
    }
}

fn pair(line: &str) -> Option<Pair> {
    let mut words = line.trim_start_matches([' ', '*', '/']).strip_prefix("pair:")?.split_whitespace();
    let (text, on, ground, minimum) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let minimum = minimum.parse().ok()?;
    (on == "on").then(|| Pair { text: text.to_owned(), ground: ground.to_owned(), minimum })
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
    let lines = SOURCE.lines().filter(|line| line.contains("pair:")).count();
    assert_eq!(tokens.pairs.len(), lines, "a line says `pair:` that is no pair");
    assert!(lines > 40);
    assert_eq!(tokens.failing(), None);
}

#[test]
fn a_pair_of_a_missing_or_weak_colour_fails() {
    let source = "/* pair: --a on --b 3 */ :root { --p: #777777; --a: var(--p); --b: #ffffff; } \
                  @media (prefers-color-scheme: dark) { :root { --p: #999999; } }";
    let failing = Tokens::parse(source).failing().unwrap();
    assert_eq!((failing.scheme, failing.pair.minimum), (Scheme::Dark, 3.0));
    assert!((failing.contrast - 2.85).abs() < 0.01);
    assert!(Tokens::parse("/* pair: --a on --b 3 */ :root { --b: #ffffff }").failing().is_some());
    let ring = Tokens::parse("/* pair: --a on --b 3 */ :root { --a: var(--b); --b: var(--a); }");
    assert!(ring.failing().is_some());
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
