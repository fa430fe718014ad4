//! Connections that close, stall or speak another protocol.

use super::{CHUNKED, respond_with};
use crate::{
    Fault, MARK,
    Meaning::{self, NoReply, TooLate},
    Step::{self, Drip, Flood, HalfClose, Reset, Send, Wait},
};

pub(super) fn all() -> Vec<Fault> {
    let mut faults = Vec::new();
    for (place, begun, more) in [
        ("before an answer", String::new(), None),
        ("in the status line", "HTTP/1.1 20".to_owned(), None),
        ("in the reason", "HTTP/1.1 200 O".to_owned(), Some("K")),
        ("in the head", format!("HTTP/1.1 200 OK\r\nx-{MARK}: a"), Some("b")),
        ("after the head", "HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n".to_owned(), None),
        ("in the body", format!("HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n{{\"{MARK}\":["), Some(" ")),
        ("in an error's body", "HTTP/1.1 500 Oops\r\ncontent-length: 9999\r\n\r\n<h1>".to_owned(), Some(" ")),
        ("in a chunk's size", format!("{CHUNKED}9"), None),
        ("in a chunk", format!("{CHUNKED}99\r\n{{\"data\""), Some(" ")),
        ("between two chunks", format!("{CHUNKED}9\r\n{{\"data\":[\r\n"), Some("1\r\n \r\n")),
        ("before the last chunk's end", format!("{CHUNKED}b\r\n{{\"data\":[]}}\r\n0\r\n"), None),
    ] {
        type End = (&'static str, Meaning, fn() -> Vec<Step>);
        let ends: [End; 4] = [
            ("closed", NoReply, Vec::new),
            ("reset", NoReply, || vec![Reset]),
            ("half closed", NoReply, || vec![HalfClose]),
            ("stalled", TooLate, || vec![Wait]),
        ];
        for (how, meaning, end) in ends {
            let begun = begun.clone();
            faults.push(Fault::new(format!("{how} {place}"), meaning, move |_| {
                [vec![Send(begun.clone().into_bytes())], end()].into_iter().flatten().collect()
            }));
        }
        if let Some(drop) = more {
            faults.push(Fault::new(format!("dripping {place}"), TooLate, move |_| {
                vec![Send(begun.clone().into_bytes()), Drip(drop.to_owned())]
            }));
        }
    }
    for (what, bytes) in [
        ("a mail server's greeting", format!("220 {MARK} ESMTP\r\n\r\n").into_bytes()),
        ("an SSH server's greeting", b"SSH-2.0-OpenSSH_9.6\r\n".to_vec()),
        ("a TLS alert", b"\x15\x03\x03\x00\x02\x02\x28".to_vec()),
        ("a TLS handshake", [&b"\x16\x03\x03\x00\x7a\x02\x00\x00\x76\x03\x03"[..], &[7; 100]].concat()),
        ("HTTP/2's preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec()),
        ("HTTP/2's settings", b"\x00\x00\x12\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x64".to_vec()),
        ("a page without a head", format!("<html><title>{MARK}</title></html>\r\n\r\n").into_bytes()),
        ("JSON without a head", b"{\"data\":[],\"meta\":{\"status\":200}}\r\n\r\n".to_vec()),
        ("zeros", vec![0; 4_000]),
        ("the request", b"POST /x HTTP/1.1\r\nhost: a\r\n\r\n".to_vec()),
        ("no status", b"HTTP/1.1\r\ncontent-length: 0\r\n\r\n".to_vec()),
        ("a status of letters", b"HTTP/1.1 OK\r\ncontent-length: 0\r\n\r\n".to_vec()),
        ("a status of two digits", b"HTTP/1.1 99 X\r\ncontent-length: 0\r\n\r\n".to_vec()),
        ("a status of four digits", b"HTTP/1.1 2000 OK\r\ncontent-length: 0\r\n\r\n".to_vec()),
        ("a status below zero", b"HTTP/1.1 -200 OK\r\ncontent-length: 0\r\n\r\n".to_vec()),
        ("a status below 100", b"HTTP/1.1 042 X\r\ncontent-length: 0\r\n\r\n".to_vec()),
        ("HTTP of another version", b"HTTP/3.0 200 OK\r\ncontent-length: 0\r\n\r\n".to_vec()),
        ("HTTP in small letters", b"http/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".to_vec()),
        ("a byte order mark", b"\xef\xbb\xbfHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".to_vec()),
    ] {
        faults.push(Fault::new(format!("{what} for an answer"), NoReply, move |_| vec![Send(bytes.clone())]));
    }
    faults.push(Fault::new("zeros without an end", NoReply, |_| vec![Flood(vec![0; 64 * 1024])]));
    faults.push(Fault::new("a first line without an end", NoReply, |_| {
        vec![Send(b"HTTP/1.1 200 ".to_vec()), Flood(vec![b'K'; 64 * 1024])]
    }));
    faults.push(respond_with("lines before the answer", Meaning::Good, |good| {
        format!("\r\n\r\n{}", super::response("200 OK", "", good))
    }));
    faults
}
