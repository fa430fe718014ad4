//! Each firm's sessions show its brand.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use clap::Parser;
use serde_json::json;
use vincula_testing::ScriptedApi;

use super::{Act, Answer, JSON, LINK, OWN, TestApp, bank_form, profile};
use crate::cli::Cli;

const BRAND: &str =
    r##"{ "primary": "#5b1a3a", "telephone": "+551132654321", "whatsapp": "+5511987654321" }"##;

/// The brands of one test.
struct Folders(PathBuf);

impl Folders {
    /// An empty directory of this run.
    fn of(test: &str) -> Self {
        let id = rand::random::<u64>();
        let dir = env::temp_dir().join(format!("vincula-brands-{test}-{id:x}"));
        fs::create_dir_all(&dir).unwrap();
        Self(dir)
    }

    fn with(self, firm: &str, file: &str, content: &str) -> Self {
        self.write(firm, file, content);
        self
    }

    fn write(&self, firm: &str, file: &str, content: &str) {
        fs::create_dir_all(self.0.join(firm)).unwrap();
        fs::write(self.0.join(firm).join(file), content).unwrap();
    }

    /// With the brand of 4711.
    fn branded(test: &str) -> Self {
        Self::of(test)
            .with("4711", "brand.json", BRAND)
            .with("4711", "logo.svg", &logo(test))
    }

    fn dir(&self) -> &str {
        self.0.to_str().unwrap()
    }

    /// A server with these brands, and a browser that has opened a link of this firm.
    async fn entered(&self, firm: serde_json::Value) -> TestApp {
        let mut app =
            TestApp::with_upstream(ScriptedApi::start().await, &["--brands-dir", self.dir()]);
        app.upstream.on(
            "validate-token",
            Act::data(&profile(json!({ "customer_id": firm }))),
        );
        app.enter().await;
        app
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A logo that contains this text.
fn logo(mark: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"132\" height=\"44\"><desc>{mark}</desc></svg>"
    )
}

/// The address of the logo on a page.
fn logo_on(page: &Answer) -> Option<String> {
    let (_, rest) = page.text.split_once("src=\"/theme/")?;
    rest.split('"').next().map(|file| format!("/theme/{file}"))
}

#[tokio::test]
async fn shows_firm_brand_on_every_screen_of_session() {
    let folders = Folders::branded("worn");
    // The same id as a number and as a text.
    for id in [json!(4711), json!("4711")] {
        let mut app = folders.entered(id).await;
        let consent = app.get("/integration/widget").await;
        consent.assert_shows(&["content=\"#5b1a3a\" media=\"(prefers-color-scheme: light)\""]);
        assert!(
            !consent.text.contains("tel:"),
            "a client who doubts the request needs another way to the firm"
        );
        app.consent().await;
        let mut pages = vec![consent];
        for path in [
            "/integration/accounts",
            "/error/token-invalid",
            "/acessibilidade",
        ] {
            pages.push(app.get(path).await);
        }
        app.done("save_bank_form", bank_form()).await;
        pages.push(app.get("/integration/widget").await);
        app.cancel().await;
        for path in ["/cancel/success", "/integration/accounts"] {
            pages.insert(1, app.get(path).await);
        }
        for page in &pages {
            page.assert_shows(&["--color-primary:#5b1a3a;"]);
        }
        for page in &pages[..pages.len() - 1] {
            assert!(logo_on(page).is_some(), "{page:?}");
        }
        for page in &pages[1..] {
            for (part, count) in [
                ("href=\"tel:+551132654321\"", 1),
                (">(11) 3265-4321<", 1),
                ("href=\"https://wa.me/5511987654321\"", 1),
                ("target=\"_blank\"", 1),
                ("rel=\"noopener noreferrer\"", 1),
            ] {
                assert_eq!(page.text.matches(part).count(), count, "{part}: {page:?}");
            }
        }
    }
}

#[tokio::test]
async fn shows_default_brand_without_folder_or_session() {
    let folders =
        Folders::branded("default").with("default", "brand.json", r##"{ "primary": "#0f3a45" }"##);
    let mut app = folders.entered(json!(4712)).await;
    for path in ["/?token=x", "/integration/widget", "/error/token-expired"] {
        app.get(path)
            .await
            .assert_shows(&["--color-primary:#0f3a45;"]);
    }
}

#[tokio::test]
async fn links_privacy_policy_of_firm() {
    let policy = |path| format!(r#"{{ "privacy": "https://{path}/privacidade?a=1&b" }}"#);
    let folders = Folders::of("privacy")
        .with("4711", "brand.json", &policy("firm.example"))
        .with("4712", "brand.json", "{}")
        .with("default", "brand.json", &policy("host.example"));
    for (firm, linked) in [
        (4711, Some("firm.example")),
        (4712, None),
        (4713, Some("host.example")),
    ] {
        let mut app = folders.entered(json!(firm)).await;
        let page = app.get("/integration/widget").await;
        let Some(host) = linked else {
            page.assert_lacks(&["Política de privacidade"]);
            continue;
        };
        page.assert_shows(&[
            &format!("href=\"https://{host}/privacidade?a=1&amp;b\""),
            "Política de privacidade",
        ]);
    }
}

#[tokio::test]
async fn shows_no_brand_without_folder_or_session() {
    let folders = Folders::branded("others");
    for id in [
        json!(4712),
        json!("../others/4711"),
        json!("4711/"),
        json!("4711\u{0}"),
        json!("04711"),
    ] {
        let mut app = folders.entered(id.clone()).await;
        let page = app.get("/integration/widget").await;
        assert_eq!((page.status, page.page()), (200, Some("consent")), "{id}");
        page.assert_lacks(&["--color-primary:", "src=\"/theme/"]);
    }
    let mut app = folders.entered(json!(4711)).await;
    for path in ["/", "/?token=x", "/nowhere"] {
        app.get(path)
            .await
            .assert_lacks(&["--color-primary:", "tel:"]);
    }
}

#[tokio::test]
async fn step_in_place_of_entry_has_firm_colors() {
    let folders = Folders::branded("arrival");
    let mut app = folders.entered(json!(4711)).await;
    app.upstream
        .on("validate-token", Act::data(&profile(json!({}))));
    let body = json!({ "input": { "query": &LINK[1..] } }).to_string();
    let answer = app
        .ask(
            "POST",
            "/api/validate_token",
            &[OWN, JSON, ("accept", "text/html")],
            body,
        )
        .await;
    assert_eq!((answer.status, answer.page()), (200, Some("consent")));
    assert!(
        !answer.text.contains("<style"),
        "it would be checked against the entry's policy"
    );
    answer.assert_shows(&[
        "name=\"style\"",
        "--color-primary:#5b1a3a;",
        "content=\"#5b1a3a\"",
    ]);
}

#[tokio::test]
async fn serves_logos_by_content_hash_only() {
    let folders = Folders::of("logos").with("4711", "brand.json", "{}").with(
        "4711",
        "logo.svg",
        &logo("logos"),
    );
    let mut app = folders.entered(json!(4711)).await;
    let src = logo_on(&app.get("/integration/widget").await).unwrap();
    let answer = app.get(&src).await;
    assert_eq!(
        (answer.status, answer.header_of("content-type")),
        (200, Some("image/svg+xml"))
    );
    assert!(
        answer
            .header_of("content-security-policy")
            .unwrap()
            .contains("sandbox")
    );
    assert!(
        answer
            .header_of("cache-control")
            .unwrap()
            .contains("immutable")
    );
    for path in [
        "/theme/4711",
        "/theme/4711/logo.svg",
        "/theme/..%2f4711%2flogo.svg",
        "/theme/0-logo.svg",
        "/theme/",
    ] {
        assert_eq!(app.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn start_fails_on_logo_that_is_no_picture() {
    for (file, content) in [("logo.svg", "<svg/>"), ("logo.png", "PNG")] {
        let folders = Folders::of("no-picture")
            .with("4711", "brand.json", "{}")
            .with("4711", file, content);
        let error = start(&folders.0).unwrap_err();
        let told = format!("4711/{file} is no picture");
        assert!(error.contains(&told), "{error}");
    }
}

#[tokio::test]
async fn start_fails_on_unusable_brand_folder() {
    let light = "{ \"primary\": \"#1f6fb2\" }";
    for (firm, file, content, told) in [
        (
            "4711",
            "brand.json",
            "{ \"colour\": \"#ffffff\" }",
            "4711/brand.json: unknown field `colour`",
        ),
        (
            "default",
            "brand.json",
            light,
            "default/brand.json: the primary colour #1f6fb2 is too light (its contrast with white text is 5.28, expected at least 7)",
        ),
        (
            "4711",
            "brand.json",
            "",
            "4711/brand.json has 0 bytes (expected a file of at most 200000)",
        ),
        (
            "4711",
            "brand.json",
            &" ".repeat(200_001),
            "4711/brand.json has 200001 bytes",
        ),
        (
            "4711",
            "brand.json",
            "{ \"telephone\": \"11 98765-4321\" }",
            "is not a Brazilian number (expected +55",
        ),
        (
            "4711",
            "brand.json",
            "{ \"privacy\": \"http://firm.example\" }",
            "4711/brand.json: the privacy policy is no https:// address",
        ),
    ] {
        let folders = Folders::of("bad")
            .with("ok", "brand.json", "{}")
            .with(firm, file, content);
        let message = start(&folders.0).unwrap_err();
        assert!(
            message.contains("BRANDS_DIR: ") && message.contains(told),
            "{told}: {message}"
        );
    }
    assert!(
        start(Path::new("/nowhere"))
            .unwrap_err()
            .contains("BRANDS_DIR: /nowhere cannot be read")
    );
    start(&Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/brands-example")).unwrap();
}

#[tokio::test]
async fn start_warns_of_what_is_not_used() {
    let folders = Folders::of("unused")
        .with("..data", "x", "")
        .with("a.b-C_1", "brand.json", "{}")
        .with("a.b-C_1", "Logo.svg", &logo("unused"))
        .with("lost+found", "logo.svg", &logo("unused"));
    fs::write(folders.0.join("notes.txt"), "").unwrap();
    let warnings = start(&folders.0).unwrap();
    let dir = folders.dir();
    for unused in [
        "a.b-C_1/Logo.svg is not used (expected brand.json, logo.svg or logo.png)",
        "lost+found is not used (expected a folder with brand.json)",
        "notes.txt is not used (expected a folder with brand.json)",
    ] {
        let warning = format!("BRANDS_DIR: {dir}/{unused}");
        assert!(warnings.contains(&warning), "{warnings:?}");
    }
    assert_eq!(warnings.len(), 3, "{warnings:?}");
}

/// Reads these brands as a start does, and returns its warnings.
fn start(dir: &Path) -> Result<Vec<String>, String> {
    let options = [
        "--widget-api-url",
        "sandbox",
        "--brands-dir",
        dir.to_str().unwrap(),
    ];
    let config = Cli::try_parse_from([&["vincula"], &options[..]].concat())
        .unwrap()
        .config;
    let settings = config.check().map_err(|error| error.to_string())?;
    Ok(settings.warnings())
}
