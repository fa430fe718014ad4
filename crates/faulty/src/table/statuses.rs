//! Statuses, interim responses and redirects.

use super::{respond_with, response, response_bytes};
use crate::{
    Fault, MARK,
    Meaning::{Empty, Good, NoReply, Refused, TooLate, Unchanged},
    Step::{Drip, Send},
};

const CONTINUE: &str = "HTTP/1.1 100 Continue\r\n\r\n";

pub(super) fn all() -> Vec<Fault> {
    let mut faults = Vec::new();
    for status in [
        300, 301, 302, 303, 305, 307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 413, 415, 417, 421,
        422, 425, 426, 428, 429, 431, 451, 500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 599, 600, 999,
    ] {
        faults.push(respond_with(format!("a page with status {status}"), Refused, move |_| {
            let lines = format!(
                "content-type: text/html\r\nlocation: http://{MARK}.invalid/{MARK}\r\nwww-authenticate: Basic \
                 realm=\"{MARK}\"\r\nrefresh: 0; url=/{MARK}\r\n"
            );
            response(&format!("{status} {MARK}"), &lines, &format!("<!doctype html><h1>{MARK}</h1>"))
        }));
    }
    for (what, body) in [("nothing", ""), ("text", MARK), ("zeros", "\0\0\0\0"), ("half of an envelope", "{\"meta\":{")]
    {
        faults.push(respond_with(format!("status 500 with {what}"), Refused, move |_| response("500 Oops", "", body)));
    }
    for status in [201, 202, 203, 205, 206, 207, 208, 226, 299] {
        faults.push(respond_with(format!("status {status}"), Good, move |good| {
            response(&format!("{status} {MARK}"), "", good)
        }));
    }
    for (retry, after) in
        [("seconds", "7"), ("a date", "Fri, 31 Dec 1999 23:59:59 GMT"), ("too long", "99999999999999999999")]
    {
        faults.push(respond_with(format!("busy, with {retry} to wait"), Refused, move |_| {
            response("503 Busy", &format!("retry-after: {after}\r\n"), "")
        }));
    }
    faults.extend([
        respond_with("status 204", Empty, |_| "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n".into()),
        respond_with("status 204 with a body", Empty, |good| response("204 No Content", "", good)),
        respond_with("status 304", Unchanged, |_| "HTTP/1.1 304 Not Modified\r\nconnection: close\r\n\r\n".into()),
        respond_with("status 304 with a body", Unchanged, |good| response("304 Not Modified", "", good)),
        respond_with("a part of the content", Good, |good| {
            response("206 Partial", "content-range: bytes 0-9/99999\r\n", good)
        }),
        respond_with("another protocol", Refused, |_| {
            "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n\u{1}\u{2}".into()
        }),
        respond_with("an early hint", Good, |good| {
            format!("HTTP/1.1 103 Early Hints\r\nlink: </{MARK}>; rel=preload\r\n\r\n{}", response("200 OK", "", good))
        }),
        respond_with("an interim answer that nobody knows", Good, |good| {
            format!("HTTP/1.1 199 {MARK}\r\n\r\n{}", response("200 OK", "", good))
        }),
        respond_with("ten thousand interim answers", Good, |good| {
            format!("{}{}", CONTINUE.repeat(10_000), response("200 OK", "", good))
        }),
        respond_with("nothing but an interim answer", NoReply, |_| CONTINUE.into()),
        Fault::new("interim answers without an end", TooLate, |_| vec![Drip(CONTINUE.repeat(200))]),
        Fault::new("a refusal in Latin-1", Refused, |_| {
            response_bytes("500 N\u{e3}o", "content-type: text/plain\r\n", b"n\xe3o")
        }),
        Fault::new("a refusal and more", Refused, |_| {
            vec![Send(response("401 No", "", MARK).into_bytes()), Send(response("200 OK", "", MARK).into_bytes())]
        }),
    ]);
    faults
}
