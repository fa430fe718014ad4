//! Rules of the repository that readers rely on and no compiler checks.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use clap::CommandFactory;

use super::declared::declared;
use crate::{config::Config, telemetry::Metrics};

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

/// Every Rust file, without its tests.
fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders: Vec<_> = source_folders().into_iter().map(|(_, folder)| folder).collect();
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
    assert!(found.len() > 100, "{} files", found.len());
    found
}

#[test]
fn few_files_expose_secrets() {
    let allowed = [
        "crates/domain/src/token.rs",
        "crates/upstream/src/",
        "src/session/cookie.rs",
        "src/steps/connect.rs",
        "src/http/limits.rs",
    ];
    for (path, code) in sources() {
        let exposes = code.contains(".expose()") || code.contains("expose_secret()");
        let may = allowed.iter().any(|allowed| path.starts_with(allowed));
        assert!(may || !exposes, "{path} exposes a secret");
    }
}

#[test]
fn every_setting_is_in_the_operations_guide_and_nothing_else_is() {
    let guide = text("docs/operations.md");
    let settings = guide.split("## Settings").nth(1).unwrap().split("\n## ").next().unwrap();
    let mut documented: Vec<_> =
        settings.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`')).map(|(name, _)| name).collect();
    let command = Config::command();
    let mut read: Vec<_> = command.get_arguments().filter_map(|argument| argument.get_env()?.to_str()).collect();
    documented.sort_unstable();
    read.sort_unstable();
    assert_eq!(documented, read);
}

#[test]
fn every_default_is_the_operations_guides() {
    let guide = text("docs/operations.md");
    for argument in Config::command().get_arguments() {
        let (Some(name), [default]) = (argument.get_env(), argument.get_default_values()) else { continue };
        let row = format!("| `{}` | `{}` |", name.display(), default.display());
        assert!(guide.contains(&row), "docs/operations.md misses {row}");
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

/// The files of the repository, without build output and installed packages.
fn everything() -> Vec<PathBuf> {
    let left_out = [
        ".git",
        "target",
        "dist",
        "node_modules",
        "public/islands",
        "public/sandbox",
        "end2end/test-results",
        "end2end/playwright-report",
        "screenshots",
        "fuzz/corpus",
        "fuzz/artifacts",
    ];
    let (mut found, mut folders) = (Vec::new(), vec![root()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if left_out.iter().any(|name| path.ends_with(name)) {
                continue;
            }
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found
}

/// Tests generate the keys and tokens that they need, so that none is in the repository.
#[test]
fn no_secret_is_in_the_repository() {
    let mut read = 0;
    for path in everything() {
        let is_settings = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".env"));
        assert!(!is_settings, "{}", path.display());
        let Ok(text) = fs::read_to_string(&path) else { continue };
        read += 1;
        if let Some(secret) = secret_in(&text) {
            panic!("{}: {}… looks like a secret", path.display(), secret.chars().take(12).collect::<String>());
        }
    }
    assert!(read > 200, "only {read} files were read");
}

/// The first word that looks like a secret: a private key, a session key, a token of a common service, a signed token.
fn secret_in(text: &str) -> Option<&str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let starts = [
        concat!("gh", "p_"),
        concat!("github", "_pat_"),
        concat!("xo", "xb-"),
        concat!("AK", "IA"),
        concat!("sk", "_live_"),
    ];
    if let Some(at) = text.find(concat!("PRIVATE", " KEY-----")) {
        return Some(&text[at..]);
    }
    text.split(|c: char| !is_word(c)).find(|word| {
        let is_key = word.len() >= 128 && word.bytes().all(|b| b.is_ascii_hexdigit());
        let is_token = word.len() >= 20 && starts.iter().any(|start| word.starts_with(start));
        let is_signed = word.len() >= 150 && word.starts_with("eyJ") && word.matches('.').count() == 2;
        is_key || is_token || is_signed
    })
}

/// Otherwise the test above could pass because it recognizes nothing.
#[test]
fn secrets_are_seen() {
    for secret in [
        format!("SESSION_KEYS={}", "0f".repeat(64)),
        format!("token: {}_{}", "ghp", "a".repeat(36)),
        format!("-----BEGIN RSA {}-----", concat!("PRIVATE", " KEY")),
        format!("Bearer eyJ{}.eyJ{}.{}", "a".repeat(60), "b".repeat(60), "c".repeat(43)),
    ] {
        assert!(secret_in(&secret).is_some(), "{secret}");
    }
    assert_eq!(secret_in("sha512-0123 0f0f eyJhbGciOiJIUzI1NiJ9.sample.link-token"), None);
}

/// CONTRIBUTING lists the files of a step; every step must have them.
#[test]
fn every_step_is_in_every_place_that_contributing_names() {
    let guide = text("CONTRIBUTING.md");
    let places: Vec<_> = guide.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`')).collect();
    assert!(places.len() >= 4 && places.iter().all(|(place, _)| place.contains("<step>")), "{places:?}");
    let actions = fs::read_dir(root().join("src/steps")).unwrap().map(|entry| entry.unwrap().path());
    let stem = |path: PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let steps: Vec<_> = actions
        .map(stem)
        .filter(|stem| stem != "mod" && root().join(format!("crates/pages/src/steps/{stem}.rs")).exists())
        .collect();
    for known in ["entry", "consent", "accounts", "bank_form", "connect", "success", "cancel"] {
        assert!(steps.iter().any(|step| step == known), "{known} among {steps:?}");
    }
    for (step, (place, _)) in steps.iter().flat_map(|step| places.iter().map(move |place| (step, *place))) {
        let name = if place.ends_with(".ts") { step.replace('_', "-") } else { step.clone() };
        let path = place.replace("<step>", &name);
        assert!(root().join(&path).exists(), "{path} is missing");
    }
    for path in guide.split('`').filter(|word| word.contains('/') && !word.contains(['<', ' ', '*'])) {
        assert!(root().join(path).exists(), "CONTRIBUTING names {path}, which is not there");
    }
}

/// A class counts as used if a file of ours has its name as a word, or makes it of its block and a value (`toast--${kind}`).
#[test]
fn every_class_of_the_style_sheets_is_used() {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let mut code: String = sources().into_iter().map(|(_, code)| code).collect();
    let mut sheets = Vec::new();
    for path in everything() {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        let is_script = name.starts_with("crates/") && name.ends_with(".js");
        let is_react = name.starts_with("islands-react/src/") && !name.contains(".test.");
        if name.starts_with("style/") {
            sheets.push((name, fs::read_to_string(path).unwrap()));
        } else if is_script || is_react {
            code += &fs::read_to_string(path).unwrap();
        }
    }
    let words: HashSet<_> = code.split(|c| !is_name(c)).collect();
    let mut seen = 0;
    for (path, sheet) in &sheets {
        let rules: String =
            sheet.split("/*").map(|part| part.split_once("*/").map_or(part, |(_, rest)| rest)).collect();
        // What stands before a brace and is no at-rule is a selector.
        let heads = rules.split_inclusive(['{', '}', ';']).filter_map(|text| text.strip_suffix('{'));
        for selector in heads.filter(|head| !head.trim_start().starts_with('@')) {
            for class in selector.split('.').skip(1).filter_map(|rest| rest.split(|c| !is_name(c)).next()) {
                let is_made = class.split_once("--").is_some_and(|(block, _)| code.contains(&format!("{block}--${{")));
                assert!(words.contains(class) || is_made, "{path}: nothing has the class {class}");
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "found {seen}");
}

/// The operations guide must explain every alert.
#[test]
fn every_alert_is_in_the_operations_guide_and_every_metric_is_ours() {
    let (alerts, guide) = (text("deploy/prometheus/alerts.yaml"), text("docs/operations.md"));
    let named: Vec<_> = alerts.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    assert!(named.len() > 10);
    for alert in named {
        let first_cells = guide.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
        assert_eq!(first_cells.filter(|cell| cell.contains(&format!("`{alert}`"))).count(), 1, "{alert} in the guide");
    }
    let calls = vincula_upstream::Metrics::default();
    let metrics = Metrics::new(&calls);
    metrics.request("GET", "/".into()).finish(["2xx", "none"]);
    calls.call("log").finish(["ok"]);
    let exposition = metrics.exposition();
    for (path, code) in [
        ("alerts.yaml", alerts),
        ("vincula.json", text("deploy/grafana/vincula.json")),
        ("operations.md", guide),
        ("vincula.yaml", text("deploy/kubernetes/vincula.yaml")),
    ] {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        // A crate, whose log lines `RUST_LOG` can choose.
        let code = code.replace("crate::", "");
        let words = code.split(|c: char| !is_name(c));
        for name in words.filter(|word| word.starts_with("vincula_") || word.starts_with("process_")) {
            assert!(name == "process_" || exposition.contains(&format!("\n{name}")), "{path} names {name}");
        }
    }
}

#[test]
fn every_outcome_of_a_call_is_in_the_operations_guide() {
    let (code, guide) = (text("crates/upstream/src/failure.rs"), text("docs/operations.md"));
    let (_, names) = code.split_once("pub fn name(&self)").unwrap();
    let (names, _) = names.split_once("\n    }\n").unwrap();
    let names: Vec<_> = names.split('"').skip(1).step_by(2).collect();
    assert!(names.len() >= 7, "{names:?}");
    for name in names {
        assert!(guide.contains(&format!("`{name}`")), "docs/operations.md does not name the outcome {name}");
    }
}
