//! Rules of the repository that readers rely on and no compiler checks.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use crate::telemetry::Metrics;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The text files of the repository by path, without build output and installed packages.
fn files() -> Vec<(String, String)> {
    let left_out = [
        ".git",
        "target",
        "dist",
        "node_modules",
        "public/islands",
        "public/sandbox",
    ];
    let results = ["end2end/test-results", "end2end/playwright-report"];
    let (mut found, mut folders) = (Vec::new(), vec![root().to_owned()]);
    while let Some(folder) = folders.pop() {
        let paths = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        for path in paths.filter(|path: &PathBuf| {
            !left_out
                .iter()
                .chain(&results)
                .any(|name| path.ends_with(name))
        }) {
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = fs::read_to_string(&path) {
                found.push((
                    path.strip_prefix(root()).unwrap().display().to_string(),
                    text,
                ));
            }
        }
    }
    assert!(found.len() > 200, "only {} files", found.len());
    found
}

/// An alert on a metric that does not exist never fires.
#[test]
fn alerts_and_dashboard_use_existing_metrics() {
    let calls = vincula_upstream::Metrics::default();
    let metrics = Metrics::new(&calls);
    metrics.request("GET", "/".into()).finish(["2xx", "none"]);
    calls.call("log").finish(["ok"]);
    let exposition = metrics.exposition();
    for path in [
        "deploy/prometheus/alerts.yaml",
        "deploy/grafana/vincula.json",
    ] {
        let text = text(path);
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        for name in
            words.filter(|word| word.starts_with("vincula_") || word.starts_with("process_"))
        {
            assert!(
                name == "process_" || exposition.contains(&format!("\n{name}")),
                "{path} names {name}"
            );
        }
    }
}

/// The client of the widget API must be usable by another program, so it knows nothing of pages.
#[test]
fn upstream_imports_no_pages_and_no_wire_types() {
    let mut seen = 0;
    for (path, text) in files() {
        if !path.starts_with("crates/upstream/src/") || !path.ends_with(".rs") {
            continue;
        }
        for module in ["action", "problem", "routes", "wire", "words"] {
            let names_it = text.contains(&format!("{module}::"));
            assert!(!names_it, "{path} imports vincula_domain::{module}");
        }
        seen += 1;
    }
    assert!(seen > 15, "found {seen}");
}

/// The ids of a log line come from the span of its request, so that no call site can forget them.
#[test]
fn only_request_span_sets_ids() {
    for (path, text) in files() {
        let is_test = path.contains("/tests/") || path.ends_with("tests.rs");
        let is_span = path == "src/http/log.rs";
        if is_test || is_span || !path.ends_with(".rs") {
            continue;
        }
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        for event in code.split("tracing::").skip(1) {
            let fields = event.split(");").next().unwrap();
            let is_event = ["debug!(", "info!(", "warn!(", "error!("]
                .iter()
                .any(|start| fields.starts_with(start));
            assert!(
                !is_event || !fields.contains("request_id"),
                "{path}: {fields}"
            );
        }
    }
}

/// A line that prints a value with `?` must not print a person.
#[test]
fn types_with_personal_data_do_not_print_it() {
    const PERSONAL: [&str; 10] = [
        "client_name:",
        "client_document:",
        "client_address:",
        "admin_name:",
        "cpf:",
        "cpfcnpj:",
        "agency:",
        "typed:",
        "administrator:",
        "PageContext>",
    ];
    let mut seen = 0;
    for (path, text) in files() {
        let is_product = path.ends_with(".rs")
            && !path.contains("/tests/")
            && !path.starts_with("crates/sandbox/")
            && !path.starts_with("src/gallery/");
        if !is_product {
            continue;
        }
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        for item in code.split("#[derive(").skip(1) {
            let (derived, rest) = item.split_once(")]").unwrap();
            let body = rest.split("\n}\n").next().unwrap();
            let personal = PERSONAL.iter().find(|field| body.contains(**field));
            let Some(field) = personal.filter(|_| body.contains("pub struct")) else {
                continue;
            };
            assert!(!derived.contains("Debug"), "{path}: {field} in {body}");
            seen += 1;
        }
    }
    assert!(seen >= 8, "found {seen}");
}

/// Tests generate the keys and tokens that they need, so every key or token in the repository would
/// be a leak.
#[test]
fn repository_contains_no_secrets() {
    // Split, so that this file does not match.
    let starts = [
        ("gh", "p_"),
        ("github", "_pat_"),
        ("xo", "xb-"),
        ("AK", "IA"),
        ("sk", "_live_"),
    ];
    let starts = starts.map(|(one, other)| format!("{one}{other}"));
    let is_secret = |word: &str| {
        let is_key = word.len() >= 128 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_token = word.len() >= 20 && starts.iter().any(|start| word.starts_with(start));
        is_key
            || is_token
            || word.len() >= 150 && word.starts_with("eyJ") && word.matches('.').count() == 2
    };
    for (path, text) in files() {
        assert!(
            !path.rsplit('/').next().unwrap().starts_with(".env"),
            "{path}"
        );
        assert!(
            !text.contains(concat!("PRIVATE", " KEY-----")),
            "{path} has a private key"
        );
        let mut words =
            text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')));
        assert!(
            !words.any(is_secret),
            "something in {path} looks like a secret"
        );
    }
}

/// A class counts as used if the code contains its name, or builds it from its block and a value
/// (`toast--${kind}`).
#[test]
fn every_css_class_is_used() {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let (mut code, mut sheets) = (String::new(), Vec::new());
    for (path, text) in files() {
        let is_rust = path.ends_with(".rs") && !path.contains("/tests/");
        let is_script = path.starts_with("crates/") && path.ends_with(".js");
        let is_react = path.starts_with("islands-react/src/") && !path.contains(".test.");
        if path.starts_with("style/") {
            sheets.push((path, text));
        } else if is_rust || is_script || is_react {
            code += text.split("#[cfg(test)]\nmod tests").next().unwrap();
        }
    }
    let words: HashSet<_> = code.split(|c| !is_name(c)).collect();
    let mut seen = 0;
    for (path, sheet) in &sheets {
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

/// Connect offers test banks by default, as the specification says. Clients must not see them.
#[test]
fn deployments_offer_no_test_banks() {
    for (path, line) in [
        ("Containerfile", "    PLUGGY_INCLUDE_SANDBOX=false\n"),
        (
            "deploy/vincula.env.example",
            "PLUGGY_INCLUDE_SANDBOX=false\n",
        ),
        (
            "deploy/kubernetes/vincula.yaml",
            "  PLUGGY_INCLUDE_SANDBOX: \"false\"\n",
        ),
    ] {
        assert!(text(path).contains(line), "{path}");
    }
}
