//! Every class of the style sheets is used, which no compiler checks.

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

/// A class counts as used if the code contains its name, or builds it from its block and a value
/// (`toast--${kind}`).
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
    for (path, sheet) in files("style") {
        let rules: String = sheet
            .split("/*")
            .map(|part| part.split_once("*/").map_or(part, |(_, rest)| rest))
            .collect();
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
