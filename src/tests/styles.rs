//! Rules of the style sheets, which no compiler checks.

use std::{collections::HashSet, fs, path::Path};

/// Appends the files of a folder and its subfolders, as path and text.
fn read(folder: &Path, files: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(&path, files);
        } else {
            let text = fs::read_to_string(&path).unwrap_or_default();
            files.push((path.display().to_string(), text));
        }
    }
}

/// The files of a folder of the repository.
fn files(folder: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    read(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
        &mut files,
    );
    files
}

/// The source of a style sheet without its comments.
pub fn without_comments(source: &str) -> String {
    let mut parts = source.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts
        .filter_map(|part| part.split_once("*/"))
        .fold(first, |kept, (_, after)| kept + after)
}

/// Each style sheet with its path, without comments.
fn sheets() -> Vec<(String, String)> {
    let mut sheets = files("style");
    for (_, source) in &mut sheets {
        *source = without_comments(source);
    }
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

/// A class counts as used if the code contains its name, or builds it from its block and a value
/// (`button--${kind}`).
#[test]
fn every_css_class_is_used() {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let code: String = ["src", "crates", "islands-react/src"]
        .into_iter()
        .flat_map(files)
        .filter(|(path, _)| !path.contains("/tests/") && !path.contains(".test."))
        .map(|(_, text)| text)
        .collect();
    let words: HashSet<_> = code.split(|c| !is_name(c)).collect();
    let mut seen = 0;
    for (path, rules) in sheets() {
        // Text before a brace is a selector unless it is an at-rule.
        let heads = rules
            .split_inclusive(['{', '}', ';'])
            .filter_map(|text| text.strip_suffix('{'));
        for selector in heads.filter(|head| !head.trim_start().starts_with('@')) {
            for class in selector
                .split('.')
                .skip(1)
                .filter_map(|rest| rest.split(|c| !is_name(c)).next())
            {
                let is_made = class
                    .split_once("--")
                    .is_some_and(|(block, _)| code.contains(&format!("{block}--${{")));
                assert!(
                    words.contains(class) || is_made,
                    "{path}: nothing has the class {class}"
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "found {seen}");
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
