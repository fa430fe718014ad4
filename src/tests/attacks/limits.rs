//! Ways around the limits: to look like many clients, or like another request.

use std::time::Instant;

use serde_json::json;

use super::*;
use crate::tests::scripted::{Act, Scripted};

/// Tokens that one address may try at once, and per second (`http::limits`).
const AT_ONCE: u64 = 120;
const PER_SECOND: u64 = 2;

/// How often each way is tried.
const TRIES: u32 = 200;

/// Requests sent before their responses are read.
const TOGETHER: u32 = 20;

/// The client's address that the proxy in front appends.
const CLIENT_ADDRESS: &str = "198.51.100.9";

/// A way around the limits: `ask` makes the nth request.
struct Way {
    name: &'static str,
    proxy: bool,
    ask: fn(u32) -> Ask,
}

fn validate(target: &str) -> Ask {
    Ask::json(target, &json!({ "input": { "query": "?token=guess" } }))
}

fn plain() -> Ask {
    validate("/api/validate_token")
}

/// The nth address.
fn nth(n: u32) -> String {
    format!("203.0.{}.{}", n / 250, n % 250)
}

/// The client's claim, and behind it the proxy's entry.
fn noted(claim: impl Into<Vec<u8>>) -> Ask {
    plain().with("x-forwarded-for", [claim.into(), b", ".into(), CLIENT_ADDRESS.into()].concat())
}

fn ways() -> Vec<Way> {
    let way = |name, ask| Way { name, proxy: false, ask };
    let behind = |name, ask| Way { name, proxy: true, ask };
    vec![
        way("nothing", |_| plain()),
        way("X-Forwarded-For", |n| plain().with("x-forwarded-for", nth(n))),
        way("X-Forwarded-For of several", |n| plain().with("x-forwarded-for", format!("{}, {}", nth(n), nth(n + 1)))),
        way("X-Forwarded-For twice", |n| plain().with("x-forwarded-for", nth(n)).with("x-forwarded-for", nth(n + 9))),
        way("X-Forwarded-For of IPv6", |n| plain().with("x-forwarded-for", format!("2001:db8:{n:x}::1"))),
        way("Forwarded", |n| plain().with("forwarded", format!("for={}", nth(n)))),
        way("X-Real-IP", |n| plain().with("x-real-ip", nth(n))),
        way("True-Client-IP", |n| plain().with("true-client-ip", nth(n))),
        way("CF-Connecting-IP", |n| plain().with("cf-connecting-ip", nth(n))),
        way("X-Client-IP", |n| plain().with("x-client-ip", nth(n))),
        way("X-Cluster-Client-IP", |n| plain().with("x-cluster-client-ip", nth(n))),
        way("X-Originating-IP", |n| plain().with("x-originating-ip", nth(n))),
        way("Via and User-Agent", |n| plain().with("via", format!("1.1 {n}")).with("user-agent", format!("{n}"))),
        way("another cookie each", |n| plain().with("cookie", format!("__Host-vincula={n}"))),
        way("another host each", |n| plain().without("host").with("host", format!("h{n}.example"))),
        way("a query each", |n| validate(&format!("/api/validate_token?{n}"))),
        way("a slash at the end", |_| validate("/api/validate_token/")),
        way("slashes", |_| validate("//api//validate_token")),
        way("an encoded letter", |_| validate("/api/validate%5ftoken")),
        way("capitals", |_| validate("/API/VALIDATE_TOKEN")),
        way("dots", |_| validate("/x/../api/validate_token")),
        way("a blank", |_| validate("/api/validate_token%20")),
        way("absolute form", |n| validate(&format!("http://h{n}.example/api/validate_token"))),
        way("the form", |n| Ask::post(format!("/?token=guess-{n}"), wire::FORM, "")),
        way("form and action", |n| if n % 2 == 0 { plain() } else { Ask::post("/?token=guess", wire::FORM, "") }),
        behind("nothing, behind a proxy", |_| plain().with("x-forwarded-for", CLIENT_ADDRESS)),
        behind("a claim before", |n| noted(nth(n))),
        behind("twenty claims before", |n| noted(vec![nth(n); 20].join(", "))),
        behind("a claim on a line before", |n| {
            plain().with("x-forwarded-for", nth(n)).with("x-forwarded-for", CLIENT_ADDRESS)
        }),
        behind("no address before", |n| noted(format!("unknown{n}"))),
        behind("bytes that are no text before", |n| noted([b"\xe9".as_slice(), nth(n).as_bytes()].concat())),
        behind("another port each", |n| plain().with("x-forwarded-for", format!("{CLIENT_ADDRESS}:{}", 1_000 + n))),
        behind("mapped into IPv6", |n| {
            let mapped = if n % 2 == 0 { "::ffff:" } else { "" };
            plain().with("x-forwarded-for", format!("{mapped}{CLIENT_ADDRESS}"))
        }),
        behind("all of a household's IPv6", |n| plain().with("x-forwarded-for", format!("2001:db8:1:2:{n:x}::{n:x}"))),
        behind("IPv6 with ports", |n| plain().with("x-forwarded-for", format!("[2001:db8:1:2::{n:x}]:{}", 1_000 + n))),
    ]
}

#[tokio::test]
async fn no_way_leads_around_the_limit_of_an_address() {
    let mut area = Area::begin("ways around the limits");
    for way in sample(ways(), 8) {
        let options: &[&str] = if way.proxy { &["--trusted-proxies", "127.0.0.1"] } else { &[] };
        let target = Target::of(TestApp::with_upstream(Scripted::start().await, options)).await;
        target.app.upstream.on("validate-token", Act::error(404, "Token not found"));
        let violations = went(&target, &way).await;
        area.case(way.name, violations);
    }
    area.finish();
}

async fn went(target: &Target, way: &Way) -> Violations {
    let (mut violations, begun) = (Violations::default(), Instant::now());
    let mut line = Line::to(target.address).await;
    for first in (0..TRIES).step_by(TOGETHER as usize) {
        for n in first..first + TOGETHER {
            line.send(&(way.ask)(n).bytes()).await;
        }
        for _ in 0..TOGETHER {
            let reply = line.reply().await.unwrap_or_default();
            violations
                .check(matches!(reply.status, 303 | 404 | 405 | 429 | 502), format_args!("status {}", reply.status));
            violations.check(reply.status != 429 || reply.header("retry-after").is_some(), "has no Retry-After");
        }
    }
    // With the allowance that was renewed meanwhile, and one that nearly was.
    let allowed = AT_ONCE + PER_SECOND * begun.elapsed().as_secs() + PER_SECOND + 1;
    let tried = target.app.upstream.lines().len() as u64;
    violations.check(tried <= allowed, format_args!("{tried} tokens tried, {allowed} allowed"));
    if way.proxy && !way.name.contains("IPv6 with") && !way.name.contains("household") {
        let mut statuses = Vec::new();
        // The allowance may have been renewed for one of these.
        for _ in 0..3 {
            statuses.push(target.ask(&plain().with("x-forwarded-for", CLIENT_ADDRESS)).await.status);
        }
        violations.check(statuses.contains(&429), format_args!("counted for another client: {statuses:?}"));
    }
    if way.proxy {
        let other = target.ask(&plain().with("x-forwarded-for", "192.0.2.77")).await;
        violations.check(other.status != 429, "another client has to wait");
    }
    violations
}
