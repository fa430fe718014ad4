//! Text from outside in the log: it can neither forge a line nor hide text from a reader.

use std::sync::LazyLock;

use crate::tests::lines::Lines;
use serde_json::{Value, json};
use tracing::{
    Dispatch,
    subscriber::{DefaultGuard, set_default},
};
use tracing_subscriber::{fmt, layer::SubscriberExt};

use super::*;

/// Texts that end a line, move the cursor, reverse the direction of text, or are invisible.
const TEXTS: [&str; 14] = [
    "a\nINFO forged",
    "a\r\nINFO forged",
    "a\r\n{\"level\":\"ERROR\",\"message\":\"forged\"}",
    "\",\"level\":\"ERROR\",\"message\":\"forged",
    "a\u{1b}[2K\u{1b}[1Aforged",
    "a\u{7}\u{8}\u{8}forged",
    "a\0forged",
    "a\u{85}forged",
    "a\u{2028}forged",
    "a\u{2029}forged",
    "a\u{202e}degrof",
    "a\u{2066}forged\u{2069}",
    "a\u{200b}\u{feff}forged",
    "529.982.247-25 forged",
];

/// Requests with this text, by where it is logged.
fn asks(text: &str) -> Vec<(&'static str, Ask)> {
    let encoded: String = text.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let island = json!({ "input": { "session": text, "island": text, "reason": text } });
    vec![
        ("the path", Ask::get(format!("/{encoded}"))),
        ("the query", Ask::get(format!("/?token={encoded}"))),
        ("the name of an action", Ask::json(&format!("/api/{encoded}"), &json!({}))),
        ("an island's report", Ask::json("/api/report_island", &island)),
        ("a token", Ask::json("/api/validate_token", &json!({ "input": { "query": format!("?token={encoded}") } }))),
        ("headers", Ask::get("/nowhere").with("user-agent", format!("a{encoded}")).with("x-request-id", encoded)),
    ]
}

/// As in `tests/lines.rs`: with a second log, `tracing` asks the logs and not the thread that logs first.
static ANOTHER_LOG: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(tracing_subscriber::registry()));

/// The log of this thread, in production's format.
fn json_log() -> (Lines, DefaultGuard) {
    LazyLock::force(&ANOTHER_LOG);
    let lines = Lines::default();
    let writer = lines.clone();
    let layer = fmt::layer().json().with_ansi(false).with_writer(move || writer.clone());
    (lines, set_default(tracing_subscriber::registry().with(layer)))
}

fn is_hidden(character: char) -> bool {
    let is_format = matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    character.is_control() || is_format
}

/// All texts in a JSON value.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(list) => list.iter().flat_map(texts).collect(),
        Value::Object(fields) => fields.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn nothing_that_is_sent_forges_a_line_of_the_log() {
    let (lines, _guard) = json_log();
    let mut area = Area::begin("lines of the log");
    let cases: Vec<_> = TEXTS.into_iter().flat_map(|text| asks(text).into_iter().map(move |ask| (text, ask))).collect();
    let mut target = Target::of(TestApp::entered(json!({})).await).await;
    let (mut seen, mut reports) = (0, 0);
    for (at, (text, (place, ask))) in cases.into_iter().enumerate() {
        // A new server, before the limits of reports apply.
        if at % 10 == 9 {
            target = Target::of(TestApp::entered(json!({})).await).await;
        }
        lines.take();
        let reply = target.ask(&ask).await;
        let log = lines.take();
        let mut violations = Violations::default();
        violations.check_common(&reply);
        for line in log.lines() {
            let Ok(line) = serde_json::from_str::<Value>(line) else {
                violations.check(false, format_args!("is no line: {line:?}"));
                continue;
            };
            seen += 1;
            reports += usize::from(line["fields"]["island"].is_string());
            violations.check(
                line["level"] != "ERROR" && line["fields"]["message"] != "forged",
                format_args!("forged: {line}"),
            );
            violations.check(
                !texts(&line).iter().any(|text| text.contains(is_hidden)),
                format_args!("hides something: {line}"),
            );
            for document in ["529.982.247-25", "52998224725"] {
                violations
                    .check(!texts(&line).iter().any(|text| text.contains(document)), format_args!("personal: {line}"));
            }
        }
        area.case(format_args!("{text:?} in {place}"), violations);
    }
    let mut violations = Violations::default();
    violations.check(seen > 0 && reports > 0, "nothing was logged");
    area.case("the log is looked at", violations);
    area.finish();
}
