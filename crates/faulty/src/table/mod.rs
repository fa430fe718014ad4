//! The faults of an upstream, by kind.

mod bodies;
mod connections;
mod envelopes;
mod heads;
mod lengths;
mod statuses;

use crate::{Fault, Meaning, Step};

const CHUNKED: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n";

/// All faults.
pub fn faults() -> Vec<Fault> {
    let parts = [connections::all(), statuses::all(), heads::all(), lengths::all(), bodies::all(), envelopes::all()];
    parts.into_iter().flatten().collect()
}

/// The fault with this name.
pub fn fault(name: &str) -> Fault {
    faults().into_iter().find(|fault| fault.name == name).unwrap_or_else(|| panic!("no fault {name:?}"))
}

/// A response that is sent in one piece, made from the good body.
fn respond_with(
    name: impl Into<String>,
    meaning: Meaning,
    text: impl Fn(&str) -> String + Send + Sync + 'static,
) -> Fault {
    Fault::new(name, meaning, move |good| vec![Step::Send(text(good).into_bytes())])
}

/// A complete response with any status and these header lines.
fn response(status: &str, lines: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n{lines}\r\n{body}", body.len())
}

/// A complete response whose body is bytes.
fn response_bytes(status: &str, lines: &str, body: &[u8]) -> Vec<Step> {
    let head = format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n{lines}\r\n", body.len());
    vec![Step::Send([head.as_bytes(), body].concat())]
}

#[test]
fn there_are_many_and_each_has_a_name_of_its_own() {
    let mut names: Vec<_> = faults().into_iter().map(|fault| fault.name).collect();
    assert!(names.len() > 200, "{}", names.len());
    names.sort_unstable();
    assert!(names.is_sorted_by(|a, b| a < b), "two of the same name");
}
