//! Headers: too long, too many, malformed, or meant for a proxy or a browser.

use super::{respond_with, response};
use crate::{
    Fault, MARK,
    Meaning::{Good, NoReply},
    Step::{Flood, Send},
};

pub(super) fn all() -> Vec<Fault> {
    let mut faults = Vec::new();
    for (what, lines) in [
        ("no type", String::new()),
        ("a type that makes no sense", format!("content-type: {MARK};;;=\r\n")),
        ("another type", "content-type: text/html; charset=utf-16\r\n".into()),
        ("two types", "content-type: application/json\r\ncontent-type: text/html\r\n".into()),
        ("a packing that is none", "content-encoding: gzip\r\n".into()),
        ("a packing that nobody knows", format!("content-encoding: {MARK}\r\n")),
        ("a redirect", format!("location: http://{MARK}.invalid/\r\nrefresh: 0; url=/{MARK}\r\n")),
        (
            "words for the proxy",
            format!("x-accel-redirect: /{MARK}\r\nx-sendfile: /{MARK}\r\nsurrogate-control: {MARK}\r\n"),
        ),
        (
            "words for the browser",
            format!(
                "content-security-policy: default-src {MARK}\r\naccess-control-allow-origin: *\r\nclear-site-data: \"*\"\r\n\
                 link: </{MARK}>; rel=preload\r\nserver-timing: {MARK}\r\nnel: {MARK}\r\n"
            ),
        ),
        ("our own cookie", format!("set-cookie: __Host-vincula={MARK}; Path=/; Secure\r\n")),
        ("many cookies", (0..80).map(|at| format!("set-cookie: c{at}={MARK}; Domain=.example\r\n")).collect()),
        ("a long XSRF token", format!("set-cookie: XSRF-TOKEN={}\r\n", "x".repeat(5_000))),
        ("an XSRF token with a line in it", format!("set-cookie: XSRF-TOKEN=a%0d%0aset-cookie:%20{MARK}\r\n")),
        ("a quoted XSRF token", "set-cookie: XSRF-TOKEN=\"a,b\\\" c\"; Path=\"\r\n".into()),
        ("an XSRF token without a name", "set-cookie: =XSRF-TOKEN; XSRF-TOKEN\r\n".into()),
        ("an XSRF token in Latin-1 written as UTF-8", "set-cookie: XSRF-TOKEN=\u{e9}\r\n".into()),
        ("another request's id", format!("x-request-id: {MARK}\r\ntraceparent: {MARK}\r\n")),
        ("a long line", format!("x-long: {}\r\n", MARK.repeat(3_000))),
        ("an empty line value", "x-empty:\r\nx-blank: \t \r\n".into()),
        ("letters beyond ASCII", "x-name: Jos\u{e9} \u{202e}\r\n".into()),
        ("ninety lines", (0..90).map(|at| format!("x-{at}: {MARK}\r\n")).collect()),
        ("dates that make no sense", format!("date: {MARK}\r\nexpires: -1\r\nage: -9\r\nlast-modified: 0\r\n")),
        ("a promise to stay", "keep-alive: timeout=99999999, max=0\r\n".into()),
    ] {
        faults.push(respond_with(format!("a head with {what}"), Good, move |good| response("200 OK", &lines, good)));
    }
    for (what, lines) in [
        ("a line without a colon", format!("{MARK}\r\n")),
        ("a line without a name", ": x\r\n".into()),
        ("a space in a name", "x y: z\r\n".into()),
        ("a space after a name", "x-y : z\r\n".into()),
        ("a folded line", format!("x-y: z\r\n {MARK}\r\n")),
        ("a zero in a name", "x\0y: z\r\n".into()),
        ("a zero in a value", "x-y: a\0b\r\n".into()),
        ("a bell in a value", "x-y: a\u{7}b\r\n".into()),
        ("a lone return in a value", "x-y: a\rb: c\r\n".into()),
        ("letters beyond ASCII in a name", "x-\u{e9}: z\r\n".into()),
        ("five thousand lines", (0..5_000).map(|at| format!("x-{at}: {MARK}\r\n")).collect()),
        ("a line of 900 kB", format!("x-long: {}\r\n", "x".repeat(900_000))),
    ] {
        faults.push(respond_with(format!("a head with {what}"), NoReply, move |good| response("200 OK", &lines, good)));
    }
    faults.extend([
        respond_with("a head with bare line feeds", Good, |good| {
            response("200 OK", "", good).replacen("\r\n", "\n", 4)
        }),
        respond_with("a head with no reason", Good, |good| response("200", "", good)),
        respond_with("a head with a long reason", Good, |good| {
            response(&format!("200 {}", MARK.repeat(500)), "", good)
        }),
        respond_with("a head with a reason beyond ASCII", Good, |good| response("200 Est\u{e1} bem", "", good)),
        Fault::new("a head without an end", NoReply, |_| {
            vec![Send(b"HTTP/1.1 200 OK\r\n".to_vec()), Flood(format!("x-more: {MARK}\r\n").repeat(2_000).into_bytes())]
        }),
        Fault::new("a line without an end", NoReply, |_| {
            vec![Send(b"HTTP/1.1 200 OK\r\nx-more: ".to_vec()), Flood(vec![b'x'; 64 * 1024])]
        }),
    ]);
    faults
}
