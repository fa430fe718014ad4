//! The tests that docs/conformance.md and docs/security.md name exist.

use std::{
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn text(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The folders with Rust of ours: the program's, and each crate's by its name.
fn source_folders() -> Vec<(String, PathBuf)> {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap());
    let named = crates.map(|entry| (entry.file_name().into_string().unwrap(), entry.path().join("src")));
    named.chain([(String::new(), root().join("src"))]).collect()
}

#[test]
fn every_test_that_the_conformance_table_names_exists() {
    let table = text("docs/conformance.md");
    let mut named = 0;
    for reference in table.split("[`").skip(1) {
        let (file, rest) = reference.split_once("` ").expect("a reference is [`file` title]");
        let (title, _) = rest.split_once(']').expect("a reference ends with ]");
        let tests = declared(file, &text(file));
        // Titles may be given by a part of them, names may not.
        let is_there = |test: &String| test == title || !file.ends_with(".rs") && test.contains(title);
        assert!(tests.iter().any(is_there), "{file} declares no test {title:?}");
        named += 1;
    }
    assert!(named > 50, "only {named} tests are named");
}

/// The last column of `docs/security.md` names files of tests, modules of tests, and single tests by their path from a
/// crate's name, or from `src/`, where `…` stands for the rest of a name.
#[test]
fn every_test_that_the_security_table_names_exists() {
    let table = text("docs/security.md");
    let rows = table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| threat"));
    let mut named = 0;
    for cell in rows.filter_map(|row| row.trim_end_matches(" |").rsplit(" | ").next()) {
        for name in cell.split('`').skip(1).step_by(2) {
            assert!(has_test(name), "{name} does not exist, or has no tests");
            named += 1;
        }
    }
    assert!(named > 40, "only {named} tests are named");
}

/// `end2end/tests/entry.spec.ts` is a file with tests, `upstream::deliver` a module with tests of the crate `upstream`,
/// `tests::pages` one of the program; `upstream::deliver::name` or `upstream::deliver::na…` is one of them. A script
/// has none, but must exist.
fn has_test(name: &str) -> bool {
    if name.contains('/') {
        let is_script = name.starts_with("scripts/") && root().join(name).is_file();
        return is_script || !declared(name, &text(name)).is_empty();
    }
    let tests = |parts: &[&str]| {
        let folders = source_folders();
        let (first, rest) = parts.split_first()?;
        let (folder, parts) = match folders.iter().find(|(name, _)| name == first) {
            Some((_, folder)) => (folder, rest),
            None => (&folders.iter().find(|(name, _)| name.is_empty())?.1, parts),
        };
        let path = folder.join(parts.join("/"));
        let code =
            [path.with_extension("rs"), path.join("mod.rs")].iter().find_map(|path| fs::read_to_string(path).ok());
        code.map(|code| declared("mod.rs", &code))
    };
    let parts: Vec<_> = name.split("::").collect();
    if let Some(tests) = tests(&parts) {
        return !tests.is_empty();
    }
    parts.split_last().is_some_and(|(test, module)| {
        let matches = |name: &String| test.strip_suffix('…').map_or(name == test, |start| name.starts_with(start));
        tests(module).is_some_and(|tests| tests.iter().any(matches))
    })
}

/// The tests of a Rust file by their names, or of a TypeScript file by their titles as they are written there.
fn declared(path: &str, code: &str) -> Vec<String> {
    if path.ends_with(".rs") { names(code) } else { titles(code) }
}

/// Functions below `#[test]` or `#[tokio::test…]`, except ignored ones.
fn names(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (mut is_test, mut is_ignored) = (false, false);
    for line in code.lines().map(str::trim) {
        is_test |= line.starts_with("#[test]") || line.starts_with("#[tokio::test");
        is_ignored |= line.starts_with("#[ignore");
        if line.is_empty() || line.starts_with("#[") || line.starts_with("//") {
            continue;
        }
        let function =
            line.trim_start_matches("async ").strip_prefix("fn ").and_then(|rest| rest.split(['(', '<']).next());
        if let (true, false, Some(name)) = (is_test, is_ignored, function) {
            names.push(name.to_owned());
        }
        (is_test, is_ignored) = (false, false);
    }
    names
}

/// Titles after `test(`, `it(` and `test.each(…)(`, on the same line or on the next. `test.skip(`, `test.fixme(` and
/// `test.todo(` do not match; tests in a skipped block count as skipped.
fn titles(code: &str) -> Vec<String> {
    let mut titles = Vec::new();
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        let rest = line.trim_start();
        if rest.starts_with("/*") && !rest.contains("*/") {
            lines.by_ref().find(|line| line.contains("*/"));
        }
        if is_skipped_block(rest) {
            // Up to the line that closes it, with the same indentation.
            let end = format!("{}}}", &line[..line.len() - rest.len()]);
            lines.by_ref().find(|line| line.starts_with(&end));
        }
        let is_each = rest.starts_with("test.each(") || rest.starts_with("it.each(") || rest.starts_with("])(");
        let opened = match rest.strip_prefix("test(").or_else(|| rest.strip_prefix("it(")) {
            None if is_each => rest.split_once(")(").map(|(_, rest)| rest),
            other => other,
        };
        let title = match opened {
            Some("") => lines.next().and_then(|next| literal(next.trim_start())),
            Some(rest) => literal(rest),
            None => None,
        };
        titles.extend(title);
    }
    titles
}

fn is_skipped_block(line: &str) -> bool {
    let Some((call, _)) = line.split_once('(') else { return false };
    call.contains("describe") && (call.ends_with(".skip") || call.ends_with(".fixme") || call.ends_with(".todo"))
}

/// The text between quotes at the start; what a template fills in stays as it is written.
fn literal(code: &str) -> Option<String> {
    let quote = code.chars().next().filter(|first| matches!(first, '\'' | '"' | '`'))?;
    let mut text = String::new();
    let mut rest = code.chars().skip(1);
    while let Some(next) = rest.next() {
        match next {
            '\\' => text.extend(rest.next()),
            next if next == quote => return Some(text),
            next => text.push(next),
        }
    }
    None
}
