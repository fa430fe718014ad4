//! Addresses that lead out of the folders, to files that are not public, or to pages that look like files.

use serde_json::json;
use vincula_domain::routes::Page;

use super::*;

/// Folders of files, and the root.
const FOLDERS: [&str; 7] = ["/pkg/", "/islands/", "/fonts/", "/illustrations/", "/theme/", "/integration/", "/"];

/// Ways out of a folder, and into files of the system.
const WAYS_OUT: [&str; 32] = [
    "../hash.txt",
    "../../hash.txt",
    "..%2fhash.txt",
    "..%2f..%2fhash.txt",
    "%2e%2e/hash.txt",
    "%2e%2e%2fhash.txt",
    "%2e%2e/%2e%2e/hash.txt",
    "%252e%252e%252fhash.txt",
    "%25252e%25252e/hash.txt",
    "..\\hash.txt",
    "..%5chash.txt",
    "..%5c..%5chash.txt",
    "....//hash.txt",
    "..;/hash.txt",
    "..%00/hash.txt",
    "..%2f%00hash.txt",
    "%c0%ae%c0%ae/hash.txt",
    "%uff0e%uff0e/hash.txt",
    ".%2e/hash.txt",
    "x/../../hash.txt",
    "x/..%2f..%2fhash.txt",
    "%2fetc/passwd",
    "/etc/passwd",
    "//etc/passwd",
    "../../../../../../../../etc/passwd",
    "%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "file:///etc/passwd",
    "C:%5cwindows%5cwin.ini",
    ".",
    "..",
    "%2e",
    "%2e%2e",
];

/// Files that are not public, or do not exist.
const NOT_PUBLIC: [&str; 15] = [
    ".env",
    ".git/config",
    ".htaccess",
    ".well-known/x",
    "hash.txt",
    "vincula.css.map",
    "vincula.abc123.css.map",
    "consent-H4SH.js.map",
    "vincula.abc123.css%00",
    "vincula.abc123.css%00.png",
    "vincula.abc123.css/x",
    "vincula.abc123.css;x",
    "vincula.abc123.css.br.br",
    "VINCULA.ABC123.CSS",
    "con",
];

/// Internal addresses outside of all folders.
const INSIDE: [&str; 8] = [
    "/metrics",
    "/sandbox",
    "/sandbox/connect",
    "/sandbox/connect.js",
    "/gallery",
    "/server-status",
    "/debug/pprof",
    "/api",
];

/// Endings that make an address look like a file's.
const LIKE_A_FILE: [&str; 12] = [
    "/x.css",
    "/x.js",
    ".css",
    ";x.css",
    ";/x.css",
    "%2fx.css",
    "%00.css",
    "%0a.css",
    "%23.css",
    "%3f.css",
    "/..%2fpkg/x.css",
    "%5cx.css",
];

/// Content of files that no address may lead to.
const TREASURES: [&str; 4] = ["wasm: 789abc", "root:", "[package]", "[fonts]"];

fn long_names() -> Vec<String> {
    let names = [101, 200, 256, 300, 5_000].map(|length| "x".repeat(length));
    FOLDERS.iter().flat_map(|folder| names.iter().map(move |name| format!("{folder}{name}.js"))).collect()
}

fn out_of_folders() -> Vec<String> {
    let within = WAYS_OUT.iter().chain(&NOT_PUBLIC);
    let within = within.flat_map(|name| FOLDERS.map(|folder| format!("{folder}{name}")));
    // The root is the entry, which has a test of its own.
    let within = within.filter(|path| !matches!(path.as_str(), "/." | "/.." | "/%2e" | "/%2e%2e"));
    within.chain(INSIDE.map(str::to_owned)).chain(long_names()).collect()
}

/// Each case, with a session and without.
fn by_both<T: Clone>(cases: Vec<T>) -> Vec<(T, bool)> {
    cases.into_iter().flat_map(|case| [(case.clone(), true), (case, false)]).collect()
}

fn asked(target: &Target, path: &str, is_known: bool) -> Ask {
    let ask = Ask::get(path);
    if is_known { ask.with("cookie", target.cookie()) } else { ask }
}

fn short(path: &str) -> String {
    if path.len() > 60 { format!("{}… ({} bytes)", &path[..20], path.len()) } else { path.to_owned() }
}

#[tokio::test]
async fn no_address_leads_out_of_the_folders() {
    let target = Target::of(TestApp::consented(json!({})).await).await;
    let mut area = Area::begin("addresses out of folders");
    for (path, is_known) in by_both(out_of_folders()) {
        let reply = target.ask(&asked(&target, &path, is_known)).await;
        let mut violations = Violations::default();
        violations.check_status(&reply, &[400, 404]);
        violations.check_common(&reply);
        violations.check_no_cookie(&reply);
        for treasure in TREASURES {
            violations.check(!reply.holds(treasure), format_args!("shows {treasure:?}"));
        }
        violations.check(reply.header("location").is_none(), format_args!("leads to {:?}", reply.header("location")));
        area.case(format_args!("{}, session: {is_known}", short(&path)), violations);
    }
    area.finish();
}

/// Every page of a session, at its own address and at those that look like a file's. Only its own address shows whose
/// session it is, and no response may be cached.
#[tokio::test]
async fn no_page_is_kept_because_it_looks_like_a_file() {
    let target = Target::of(TestApp::consented(json!({})).await).await;
    let pages = Page::ALL.into_iter().filter(|page| page.needs_session()).map(Page::path);
    let queries = ["?x=.css", "?.css", "?/../x.js"];
    let cases: Vec<_> = pages
        .flat_map(|page| {
            let files = LIKE_A_FILE.map(|end| (format!("{page}{end}"), false));
            files.into_iter().chain(queries.map(|query| (format!("{page}{query}"), true)))
        })
        .chain(LIKE_A_FILE.map(|end| (format!("/api/list_accounts{end}"), false)))
        .collect();
    let mut area = Area::begin("pages that look like files");
    for ((path, is_page), is_known) in by_both(cases) {
        let reply = target.ask(&asked(&target, &path, is_known)).await;
        let mut violations = Violations::default();
        violations.check_status(&reply, if is_page { &[200, 303] } else { &[400, 404, 405] });
        violations.check_common(&reply);
        violations.check(reply.header("cache-control").is_none_or(|kept| kept == "no-store"), "may be kept");
        if !(is_page && is_known) {
            violations.check_anonymous(&reply);
            violations.check_no_cookie(&reply);
        }
        violations.check(reply.header("location").is_none_or(|to| Page::at(&to).is_some()), "leads elsewhere");
        violations.check_no_upstream_call(&target);
        area.case(format_args!("{path}, session: {is_known}"), violations);
    }
    let own = target.ask(&asked(&target, "/integration/accounts", true)).await;
    let mut violations = Violations::default();
    violations.check(own.status == 200 && own.holds(CLIENT), "the page itself does not show whose it is");
    area.case("the page as it is", violations);
    area.finish();
}
