//! Each firm's sessions show its brand.

use std::{
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use axum::{
    body::Body,
    http::{Method, header},
};
use clap::Parser;
use serde_json::json;
use vincula_pages::brands::Brands;

use super::{
    Act, Answer, LINK, TestApp, any_key, bank_form, navigate, profile, same_origin,
    scripted::Scripted,
    site::{TEXT_OF_OWN_PURPOSE, site},
};
use crate::{config::Config, state::AppState};

const BRAND: &str = r##"{ "primary": "#5b1a3a", "telephone": "+551132654321", "whatsapp": "+5511987654321",
    "cnpj": "11.222.333/0001-81", "crc": "CRC 2SP012345/O-6", "privacy_url": "https://firm.example/p",
    "purpose": "conferir os lançamentos." }"##;

/// The brands of one test.
struct Folders(PathBuf);

impl Folders {
    /// An empty directory beside the test program.
    fn of(test: &str) -> Self {
        let name = format!("{}-{test}", env::current_exe().unwrap().file_name().unwrap().display());
        let dir = env::current_exe().unwrap().with_file_name(name);
        let _ = fs::remove_dir_all(&dir);
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

    /// A server with these brands, and a browser whose link is of this firm.
    async fn entered(&self, firm: serde_json::Value) -> TestApp {
        let mut app = TestApp::with_upstream(Scripted::start().await, &["--brands-dir", self.0.to_str().unwrap()]);
        app.upstream.on("validate-token", Act::data(&profile(json!({ "customer_id": firm }))));
        app.enter().await;
        app
    }

    /// The same browser and upstream, with a server that has read the brands anew.
    fn restarted(&self, TestApp { upstream, cookie, .. }: TestApp) -> TestApp {
        TestApp { cookie, ..TestApp::with_upstream(upstream, &["--brands-dir", self.0.to_str().unwrap()]) }
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A logo with something that tells it from others.
fn logo(mark: &str) -> String {
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"132\" height=\"44\"><desc>{mark}</desc></svg>")
}

/// The address of the logo on a page.
fn logo_on(page: &Answer) -> Option<String> {
    let (_, rest) = page.text.split_once("src=\"/theme/")?;
    rest.split('"').next().map(|file| format!("/theme/{file}"))
}

#[tokio::test]
async fn every_screen_of_a_session_wears_the_firms_brand() {
    let folders = Folders::of("worn").with("4711", "brand.json", BRAND).with("4711", "logo.svg", &logo("worn"));
    // The same id as a number and as a text.
    for id in [json!(4711), json!("4711")] {
        let mut app = folders.entered(id).await;
        let consent = app.get("/integration/widget").await;
        for part in [
            ">CNPJ 11.222.333/0001-81<",
            ">CRC 2SP012345/O-6<",
            "conferir os lançamentos.",
            &format!("name=\"text\" value=\"{}-", &TEXT_OF_OWN_PURPOSE[..8]),
            "href=\"https://firm.example/p\"",
            "content=\"#5b1a3a\" media=\"(prefers-color-scheme: light)\"",
        ] {
            assert!(consent.text.contains(part), "{part}: {}", consent.text);
        }
        assert!(!consent.text.contains("tel:"), "a client who doubts the request needs another way to the firm");
        let (_, named) = consent.text.split_once("name=\"text\" value=\"").unwrap();
        app.done("accept_consent", json!({ "text": named.split('"').next().unwrap() })).await;
        let mut pages = vec![consent];
        for path in ["/integration/accounts", "/integration/receipt", "/error/token-invalid", "/acessibilidade"] {
            pages.push(app.get(path).await);
        }
        app.done("save_bank_form", bank_form()).await;
        pages.push(app.get("/integration/widget").await);
        for page in &pages[1..5] {
            assert!(page.text.contains(">CNPJ 11.222.333/0001-81<"), "beside the content or in it: {page:?}");
        }
        for page in &pages {
            assert!(page.text.contains("--color-primary:#5b1a3a;--color-on-primary:#ffffff;"), "{page:?}");
        }
        for page in &pages[..pages.len() - 1] {
            assert!(logo_on(page).unwrap().starts_with("/theme/logo-"), "{page:?}");
            let is_kept_free = page.text.contains("width=\"132\"") && page.text.contains("height=\"44\"");
            assert!(is_kept_free, "{page:?}");
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
        let receipt = &pages[2].text;
        assert!(receipt.contains("Registro do escritório") && receipt.contains(">CRC 2SP012345/O-6<"));
    }
}

#[tokio::test]
async fn other_sessions_and_pages_of_no_session_wear_the_deployments_theme() {
    let folders = Folders::of("others").with("4711", "brand.json", BRAND).with("4711", "logo.svg", &logo("others"));
    for id in [json!(4712), json!("../others/4711"), json!("4711/"), json!("4711\u{0}"), json!("04711")] {
        let mut app = folders.entered(id.clone()).await;
        let page = app.get("/integration/widget").await;
        assert_eq!((page.status, page.page()), (200, Some("consent")), "{id}");
        assert!(!page.text.contains("--color-primary:") && logo_on(&page).is_none(), "{id}");
        assert!(page.text.contains("a contabilidade da sua empresa."), "{id}");
    }
    let mut app = folders.entered(json!(4711)).await;
    for path in ["/", "/?token=x", "/nowhere", "/error/token-expired?outro=1"] {
        let page = app.get(path).await;
        assert!(!page.text.contains("--color-primary:") && !page.text.contains("tel:"), "{path}");
    }
}

#[tokio::test]
async fn the_step_in_the_entrys_place_brings_the_firms_colours() {
    let folders = Folders::of("arrival").with("4711", "brand.json", BRAND).with("4711", "logo.svg", &logo("arrival"));
    let mut app = folders.entered(json!(4711)).await;
    app.upstream.on("validate-token", Act::data(&profile(json!({}))));
    let request = same_origin(Method::POST, "/api/validate_token")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "text/html")
        .body(Body::from(json!({ "input": { "query": &LINK[1..] } }).to_string()))
        .unwrap();
    let answer = app.send(request).await;
    assert_eq!((answer.status, answer.page()), (200, Some("consent")));
    assert!(!answer.text.contains("<style"), "it would be checked against the entry's policy");
    assert!(answer.text.contains("name=\"style\""));
    assert!(answer.text.contains("--color-primary:#5b1a3a;") && answer.text.contains("content=\"#5b1a3a\""));
}

#[tokio::test]
async fn logos_are_served_by_their_content_alone() {
    let folders = Folders::of("logos").with("4711", "brand.json", "{}").with("4711", "logo.svg", &logo("logos"));
    let mut app = folders.entered(json!(4711)).await;
    let src = logo_on(&app.get("/integration/widget").await).unwrap();
    let answer = app.get(&src).await;
    assert_eq!((answer.status, answer.header_of("content-type")), (200, Some("image/svg+xml")));
    assert!(answer.header_of("content-security-policy").unwrap().contains("sandbox"));
    assert!(answer.header_of("cache-control").unwrap().contains("immutable"));
    for path in ["/theme/4711", "/theme/4711/logo.svg", "/theme/..%2f4711%2flogo.svg", "/theme/logo-0.svg", "/theme/"] {
        assert_eq!(app.get(path).await.status, 404, "{path}");
    }
}

/// What the page says of the text that it shows.
fn text_on(page: &Answer) -> &str {
    page.text.split_once("name=\"text\" value=\"").unwrap().1.split('"').next().unwrap()
}

/// Docs keep the text with a place for the purpose, so the evidence has both.
#[tokio::test]
async fn a_consent_names_the_firms_own_purpose_as_the_page_showed_it() {
    let folders = Folders::of("purpose").with("4711", "brand.json", BRAND).with("4711", "logo.svg", &logo("purpose"));
    let mut app = folders.entered(json!(4711)).await;
    app.upstream.forget();
    let page = app.get("/integration/widget").await;
    let shown = text_on(&page);

    let other = BRAND.replace("conferir os lançamentos.", "fechar 100% do balanço.");
    folders.write("4711", "brand.json", &other);
    let mut app = folders.restarted(app);
    let before = app.snapshot();
    let answer = app.act("accept_consent", json!({ "text": shown })).await;
    answer.assert_failure(409, &navigate("/integration/widget"));
    assert_eq!((app.snapshot(), app.upstream.lines()), (before, vec![]), "nobody agreed to the purpose of now");

    let page = app.get("/integration/widget").await;
    let text = text_on(&page);
    assert_ne!(text, shown);
    app.done("accept_consent", json!({ "text": text })).await;
    let call = app.upstream.only("POST /authorize-customer");
    assert_eq!(call.header("consent-text-sha256"), Some(TEXT_OF_OWN_PURPOSE));
    assert_eq!(call.header("consent-purpose"), Some("fechar 100%25 do balan%C3%A7o."));
    assert!(app.get("/integration/receipt").await.text.contains(&TEXT_OF_OWN_PURPOSE[..8]));
}

#[tokio::test]
async fn folders_that_are_not_usable_stop_the_start_by_name() {
    let svg = logo("bad");
    for (firm, file, content, told) in [
        ("4711", "brand.json", "{ \"colour\": \"#ffffff\" }", "4711/brand.json: unknown field `colour`"),
        ("4711", "brand.json", "{ \"cnpj\": \"1\" }", "4711/brand.json: cnpj has wrong check digits"),
        ("4711", "logo.svg", &svg, "4711/brand.json cannot be read"),
        ("ok", "logo.gif", &svg, "ok has logo.gif"),
        ("4711", "logo.jpg", "", "4711 has logo.jpg: expected brand.json, logo.svg or logo.png"),
        ("4711", "logo.svg", "<html>", "logo.svg is neither SVG nor PNG"),
        ("4711", "logo.svg", "<svg><script>alert(1)</script></svg>", "logo.svg has a script"),
        ("escritório", "brand.json", "{}", "escritório cannot be a customer_id"),
    ] {
        let folders = Folders::of("bad").with("ok", "brand.json", "{}").with(firm, file, content);
        let message = start(&folders.0).unwrap_err();
        assert!(message.contains("BRANDS_DIR: ") && message.contains(told), "{told}: {message}");
    }
    let folders = Folders::of("file");
    fs::write(folders.0.join("4711"), "").unwrap();
    assert!(start(&folders.0).unwrap_err().contains("4711 cannot be read"));
    assert!(start(Path::new("/nowhere")).unwrap_err().contains("BRANDS_DIR: /nowhere cannot be read"));
    let hidden = Folders::of("hidden").with("..data", "x", "").with("a.b-C_1", "brand.json", "{}");
    hidden.write("a.b-C_1", ".swp", "");
    start(&hidden.0).unwrap();
}

/// Opening a pipe waits until somebody writes to it, and a device may never end.
#[tokio::test]
async fn only_regular_files_are_read() {
    for file in ["brand.json", "logo.svg"] {
        for kind in ["pipe", "link to a pipe", "device", "folder"] {
            let folders = Folders::of("irregular").with("4711", "x", "");
            fs::remove_file(folders.0.join("4711/x")).unwrap();
            let (path, pipe) = (folders.0.join("4711").join(file), folders.0.join(".pipe"));
            let make_pipe = |path: &Path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
            match kind {
                "pipe" => make_pipe(&path),
                "device" => symlink("/dev/zero", &path).unwrap(),
                "folder" => fs::create_dir(&path).unwrap(),
                _ => {
                    make_pipe(&pipe);
                    symlink(&pipe, &path).unwrap();
                }
            }
            let message = start(&folders.0).unwrap_err();
            assert!(message.contains(&format!("4711/{file} is no regular file")), "{kind}: {message}");
        }
    }
    // Volumes of Kubernetes are links.
    let folders = Folders::of("linked").with("..data", "brand.json", BRAND).with("4711", "x", "");
    fs::remove_file(folders.0.join("4711/x")).unwrap();
    symlink(folders.0.join("..data/brand.json"), folders.0.join("4711/brand.json")).unwrap();
    start(&folders.0).unwrap();
}

#[tokio::test]
async fn the_example_is_usable() {
    start(&Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/brands-example")).unwrap();
}

/// The start, up to the state of the server.
fn start(dir: &Path) -> Result<(), String> {
    let keys = any_key();
    let needed =
        ["vincula", "--widget-api-url", "http://127.0.0.1:9", "--session-keys", &keys, "--trusted-proxies", "none"];
    let args = [&needed[..], &["--brands-dir", dir.to_str().unwrap()]].concat();
    let config = Config::try_parse_from(args).unwrap().check().unwrap();
    AppState::new(&config, &site(), None).map(drop).map_err(|error| error.to_string())
}

/// Run manually, alone, so that nothing else takes memory: `cargo test -p vincula --target host-tuple ten_thousand -- --ignored --nocapture`.
#[test]
#[ignore = "writes 20,000 files"]
fn ten_thousand_firms_cost_no_more_than_their_bytes() {
    const FIRMS: usize = 10_000;
    let folders = Folders::of("many");
    let mut bytes = 0;
    for firm in 0..FIRMS {
        let (brand, logo) = (BRAND.replace("#5b1a3a", &format!("#00{firm:04x}")), logo(&format!("{firm:08000}")));
        bytes += brand.len() + logo.len();
        folders.write(&firm.to_string(), "brand.json", &brand);
        folders.write(&firm.to_string(), "logo.svg", &logo);
    }
    let resident = || {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1_024
    };
    let (before, begun) = (resident(), Instant::now());
    let brands = Brands::read(None, None, None, Some(&folders.0)).unwrap();
    let (took, more) = (begun.elapsed(), resident() - before);
    assert_eq!(brands.firms.len(), FIRMS);
    let begun = Instant::now();
    for firm in 0..FIRMS {
        assert!(brands.of(Some(&firm.to_string())).logo.is_some());
    }
    let each = begun.elapsed() / 10_000;
    println!("{FIRMS} firms, {bytes} bytes: read in {took:?}, {more} bytes resident");
    println!("a face in {each:?}");
    // Three kilobytes each for what they are kept in.
    assert!(more < bytes + FIRMS * 3_072, "{more}");
}
