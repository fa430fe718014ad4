//! Rules of the house: what a reader relies on and no compiler checks.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::CommandFactory;

use crate::config::Config;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn text(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The Rust files below a folder of `src/`, without its tests.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("src").join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && path.file_name().is_some_and(|name| name != "tests") {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let code = fs::read_to_string(&path).unwrap();
                let code = code.split("#[cfg(test)]\nmod tests").next().unwrap().to_owned();
                found.push((path.strip_prefix(root()).unwrap().display().to_string(), code));
            }
        }
    }
    assert!(!found.is_empty(), "{folder}");
    found
}

#[test]
fn dependencies_run_one_way() {
    for (folder, forbidden) in [
        ("sandbox", &["crate::upstream", "crate::session", "crate::steps", "crate::wire", "crate::server"][..]),
        ("bank", &["crate::upstream", "crate::session", "crate::steps", "crate::server"]),
        ("upstream", &["crate::steps", "crate::server", "crate::sandbox", "crate::error"]),
        ("session", &["crate::steps", "crate::server", "crate::sandbox", "crate::app"]),
        ("steps", &["crate::server", "crate::sandbox", "crate::app"]),
        ("islands", &["crate::server", "crate::sandbox", "crate::app", "crate::session", "crate::upstream::{"]),
    ] {
        for (path, code) in sources(folder) {
            for import in forbidden {
                assert!(!code.contains(import), "{path} must not know {import}");
            }
        }
    }
}

#[test]
fn few_files_expose_secrets() {
    let allowed = [
        "src/session/token.rs",
        "src/session/cookie.rs",
        "src/upstream/",
        "src/steps/connect.rs",
        "src/http/limits.rs",
        // Of tests only.
        "src/fuzzing.rs",
    ];
    for (path, code) in sources("") {
        let exposes = code.contains(".expose()") || code.contains("expose_secret()");
        let may = allowed.iter().any(|allowed| path.starts_with(allowed));
        assert!(may || !exposes, "{path} exposes a secret");
    }
}

#[test]
fn every_setting_is_in_the_readme_and_nothing_else_is() {
    let readme = text("README.md");
    let settings = readme.split("## Settings").nth(1).unwrap().split("\n## ").next().unwrap();
    let mut documented: Vec<_> =
        settings.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`')).map(|(name, _)| name).collect();
    let command = Config::command();
    let mut read: Vec<_> = command.get_arguments().filter_map(|argument| argument.get_env()?.to_str()).collect();
    documented.sort_unstable();
    read.sort_unstable();
    assert_eq!(documented, read);
}

#[test]
fn every_default_is_the_readmes() {
    let readme = text("README.md");
    for argument in Config::command().get_arguments() {
        let (Some(name), [default]) = (argument.get_env(), argument.get_default_values()) else { continue };
        let row = format!("| `{}` | `{}` |", name.display(), default.display());
        assert!(readme.contains(&row), "README misses {row}");
    }
}

#[test]
fn the_wasm_bindgen_command_is_of_the_librarys_version() {
    let makefile = text("Makefile");
    let version = makefile.lines().find_map(|line| line.strip_prefix("WASM_BINDGEN := ")).unwrap();
    assert!(text("Cargo.toml").contains(&format!("wasm-bindgen = \"={version}\"")));
    assert!(text("Cargo.lock").contains(&format!("name = \"wasm-bindgen\"\nversion = \"{version}\"\n")));
}

#[test]
fn every_test_that_the_conformance_table_names_exists() {
    let table = text("docs/conformance.md");
    let mut named = 0;
    for reference in table.split("[`").skip(1) {
        let (file, rest) = reference.split_once("` ").expect("a reference is [`file` title]");
        let (title, _) = rest.split_once(']').expect("a reference ends with ]");
        let code = text(file);
        assert!(code.contains(title), "{file} has no test {title:?}");
        named += 1;
    }
    assert!(named > 50, "only {named} tests are named");
}
