//! Range requests, conditional requests, encodings, and headers that claim something.

use serde_json::json;

use super::*;
use crate::tests::site;

/// Pages to request with a session.
const PAGES: [&str; 4] = ["/integration/accounts", "/cancel/confirm", "/error/token-expired", "/acessibilidade"];

const FILES: [&str; 3] = [site::CSS, "/favicon.svg", "/robots.txt"];

const RANGES: [&str; 16] = [
    "bytes=0-0",
    "bytes=0-",
    "bytes=-1",
    "bytes=2-1",
    "bytes=99999999-",
    "bytes=0-18446744073709551616",
    "bytes=-0",
    "bytes=--1",
    "bytes=0-0,1-1,2-2",
    "bytes=0-,0-,0-,0-,0-,0-,0-,0-",
    "bytes=0x0-0x1",
    "bytes=",
    "bytes 0-1",
    "items=0-1",
    "ev1l",
    "bytes=ev1l-ev1l",
];

const CONDITIONS: [(&str, &str); 12] = [
    ("if-none-match", "*"),
    ("if-none-match", "\"ev1l\""),
    ("if-none-match", "W/\"ev1l\", \"ev1l"),
    ("if-modified-since", "Thu, 01 Jan 2099 00:00:00 GMT"),
    ("if-modified-since", "ev1l"),
    ("if-modified-since", "Thu, 01 Jan 0000 00:00:00 GMT"),
    ("if-unmodified-since", "Thu, 01 Jan 1970 00:00:00 GMT"),
    ("if-unmodified-since", "ev1l"),
    ("if-match", "\"ev1l\""),
    ("if-match", "*"),
    ("if-range", "\"ev1l\""),
    ("if-range", "Thu, 01 Jan 2099 00:00:00 GMT"),
];

const ENCODINGS: [&str; 14] = [
    "br",
    "gzip",
    "identity",
    "identity;q=0",
    "*;q=0",
    "*",
    "br;q=0, gzip;q=0",
    "br;q=ev1l",
    "gzip;q=1.5, br;q=-1",
    "ev1l",
    "gzip, gzip, gzip, br, br",
    "x-gzip",
    "zstd, deflate, compress",
    "",
];

/// Headers that proxies or frameworks interpret.
const CLAIMS: [(&str, &str); 30] = [
    ("x-forwarded-host", "ev1l.example"),
    ("x-forwarded-proto", "ev1l"),
    ("x-forwarded-scheme", "ev1l"),
    ("x-forwarded-port", "31337"),
    ("x-forwarded-prefix", "/ev1l"),
    ("x-forwarded-server", "ev1l.example"),
    ("x-forwarded-for", "ev1l"),
    ("x-host", "ev1l.example"),
    ("x-http-host-override", "ev1l.example"),
    ("forwarded", "host=ev1l.example;proto=ev1l"),
    ("x-original-url", "/cancel/success?ev1l"),
    ("x-original-host", "ev1l.example"),
    ("x-rewrite-url", "/metrics?ev1l"),
    ("x-override-url", "/metrics?ev1l"),
    ("x-http-method-override", "DELETE"),
    ("x-http-destinationurl", "http://ev1l.example"),
    ("x-proxy-url", "http://ev1l.example"),
    ("x-wap-profile", "http://ev1l.example/wap.xml"),
    ("x-arbitrary", "http://ev1l.example/"),
    ("x-real-ip", "ev1l"),
    ("x-request-id", "ev1l"),
    ("x-correlation-id", "ev1l"),
    ("traceparent", "00-ev1lev1lev1lev1lev1lev1lev1lev1l-ev1lev1lev1lev1l-01"),
    ("tracestate", "ev1l=1"),
    ("baggage", "ev1l=1"),
    ("origin", "https://ev1l.example"),
    ("referer", "https://ev1l.example/?ev1l"),
    ("user-agent", "ev1l<script>"),
    ("accept-language", "ev1l, ../ev1l"),
    ("accept", "ev1l/ev1l, application/json"),
];

/// A request with one more header, and the allowed statuses.
struct Case {
    path: &'static str,
    name: &'static str,
    value: &'static str,
    statuses: &'static [u16],
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |paths: &[&'static str], name, value, statuses| {
        cases.extend(paths.iter().map(|path| Case { path, name, value, statuses }));
    };
    for value in RANGES {
        add(&FILES, "range", value, &[200, 206, 416]);
        add(&PAGES[..1], "range", value, &[200]);
    }
    for (name, value) in CONDITIONS {
        add(&FILES, name, value, &[200, 304, 412]);
        add(&PAGES[..1], name, value, &[200]);
    }
    for value in ENCODINGS {
        add(&FILES[..2], "accept-encoding", value, &[200, 406]);
        add(&PAGES[..1], "accept-encoding", value, &[200]);
    }
    for (name, value) in CLAIMS {
        add(&PAGES, name, value, &[200]);
        add(&FILES[..1], name, value, &[200]);
    }
    cases
}

/// A document without the parts that are new in each response: the nonce and the support code.
fn settled(reply: &Reply) -> String {
    let policy = reply.header("content-security-policy").unwrap_or_default().into_owned();
    let nonce = policy.split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next());
    let code = reply.header("x-request-id").map(|code| code.into_owned());
    let new = nonce.into_iter().chain(code.as_deref());
    new.fold(reply.text().into_owned(), |text, new| text.replace(new, "_"))
}

/// The first difference of two texts.
fn parted(one: &str, other: &str) -> String {
    let at = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let part = |text: &str| text.chars().skip(at.saturating_sub(40)).take(80).collect::<String>();
    format!("{:?} is {:?}", part(other), part(one))
}

#[tokio::test]
async fn no_header_changes_what_is_served() {
    let target = Target::of(TestApp::consented(json!({})).await).await;
    let ask = |path: &str| Ask::get(path).with("cookie", target.cookie());
    let mut area = Area::begin("conditions and headers that want to be believed");
    for Case { path, name, value, statuses } in cases() {
        let plain = target.ask(&ask(path)).await;
        let reply = target.ask(&ask(path).with(name, value)).await;
        let mut violations = Violations::default();
        violations.check_status(&reply, statuses);
        violations.check_common(&reply);
        violations.check_no_cookie(&reply);
        let is_packed = reply.header("content-encoding").is_some();
        if reply.status == 200 && !is_packed {
            let (one, other) = (settled(&reply), settled(&plain));
            violations.check(one == other, format_args!("another answer: {}", parted(&one, &other)));
        }
        violations
            .check(!is_packed || reply.header("vary").is_some_and(|vary| vary.contains("accept-encoding")), "no Vary");
        if reply.status == 206 {
            let part = reply.header("content-range").unwrap_or_default().into_owned();
            violations.check(part.starts_with("bytes "), "a part without its range");
            violations.check(plain.text().contains(&*reply.text()), "a part that is not of the file");
        }
        violations.check(reply.body.len() <= plain.body.len() + 100, "more than was asked for");
        violations.check_no_upstream_call(&target);
        area.case(format_args!("{path} with {name}: {value}"), violations);
    }
    area.finish();
}
