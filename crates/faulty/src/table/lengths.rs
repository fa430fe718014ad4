//! The declared length of a response: `Content-Length`, chunks, or none.

use super::{CHUNKED, respond_with, response};
use crate::{
    Fault, MARK,
    Meaning::{self, Empty, Good, NoJson, NoReply, TooLarge, TooLate},
    Step::{Drip, Flood, Send},
};

pub(super) fn all() -> Vec<Fault> {
    [declared(), chunked(), floods()].into_iter().flatten().collect()
}

/// `{}` stands for the length of the good body.
fn declared() -> Vec<Fault> {
    let lines = [
        ("a length twice", Good, "content-length: {}\r\ncontent-length: {}\r\n"),
        ("a length with a zero before", Good, "content-length: 0{}\r\n"),
        ("a length in capitals", Good, "CONTENT-LENGTH:{}\r\n"),
        ("a length and spaces", Good, "content-length:  \t {} \t\r\n"),
        ("no length", Good, ""),
        ("a length of nothing", Empty, "content-length: 0\r\n"),
        ("two lengths", NoReply, "content-length: {}\r\ncontent-length: 1\r\n"),
        ("two lengths in a line", NoReply, "content-length: {}, 1\r\n"),
        ("a length with a sign", NoReply, "content-length: +{}\r\n"),
        ("a length below zero", NoReply, "content-length: -1\r\n"),
        ("a length in hexadecimal", NoReply, "content-length: 0x{}\r\n"),
        ("a length with a point", NoReply, "content-length: {}.0\r\n"),
        ("a length of letters", NoReply, "content-length: all\r\n"),
        ("a length that is blank", NoReply, "content-length: \r\n"),
        ("a length of 2^64", NoReply, "content-length: 18446744073709551616\r\n"),
        ("a length of 100 digits", NoReply, "content-length: 99999999999999999999999999999999999999999999999999\r\n"),
        ("a length of 2^63", TooLarge, "content-length: 9223372036854775807\r\n"),
        ("a length of a terabyte", TooLarge, "content-length: 1000000000000\r\n"),
        ("a length that is too long", NoReply, "content-length: 9{}\r\n"),
    ];
    let mut faults: Vec<_> = lines
        .into_iter()
        .map(|(what, meaning, lines)| {
            respond_with(what, meaning, move |good| {
                let lines = lines.replace("{}", &good.len().to_string());
                format!("HTTP/1.1 200 OK\r\nconnection: close\r\n{lines}\r\n{good}")
            })
        })
        .collect();
    faults.extend([
        respond_with("a length that is too short", NoJson, |good| {
            format!(
                "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{good}",
                good.trim_end().len() - 1
            )
        }),
        respond_with("HTTP/1.0", Good, |good| {
            format!("HTTP/1.0 200 OK\r\ncontent-length: {}\r\n\r\n{good}", good.len())
        }),
        respond_with("HTTP/1.0 without a length", Good, |good| format!("HTTP/1.0 200 OK\r\n\r\n{good}")),
        respond_with("HTTP/1.0 that is cut off", NoReply, |good| {
            format!("HTTP/1.0 200 OK\r\ncontent-length: 60000\r\n\r\n{good}")
        }),
        respond_with("a good answer and more", Good, |good| {
            format!("{}{MARK}HTTP/1.1 200 OK\r\n\r\n{MARK}", response("200 OK", "", good))
        }),
    ]);
    faults
}

/// The good body in chunks.
type ChunksOf = fn(&str) -> String;

fn chunked() -> Vec<Fault> {
    let bodies: [(&str, Meaning, ChunksOf); 17] = [
        ("one chunk", Good, |good| format!("{:x}\r\n{good}\r\n0\r\n\r\n", good.len())),
        ("a chunk's size in capitals", Good, |good| format!("{:X}\r\n{good}\r\n0\r\n\r\n", good.len())),
        ("a chunk's size with zeros before", Good, |good| format!("{:012x}\r\n{good}\r\n000\r\n\r\n", good.len())),
        ("a chunk with an extension", Good, |good| format!("{:x};{MARK}=\"a\"\r\n{good}\r\n0\r\n\r\n", good.len())),
        ("a trailer", Good, |good| format!("{:x}\r\n{good}\r\n0\r\nx-{MARK}: {MARK}\r\n\r\n", good.len())),
        ("a cookie in the trailer", Good, |good| {
            format!("{:x}\r\n{good}\r\n0\r\nset-cookie: XSRF-TOKEN={MARK}\r\n\r\n", good.len())
        }),
        ("more after the last chunk", Good, |good| format!("{:x}\r\n{good}\r\n0\r\n\r\n5\r\n{MARK}", good.len())),
        ("a chunk's size of 2^64", NoReply, |good| format!("10000000000000000\r\n{good}\r\n0\r\n\r\n")),
        ("a chunk's size of 2^72", NoReply, |good| format!("1000000000000000000\r\n{good}\r\n0\r\n\r\n")),
        ("a chunk's size below zero", NoReply, |good| format!("-1\r\n{good}\r\n0\r\n\r\n")),
        ("a chunk's size with 0x", NoReply, |good| format!("0x{:x}\r\n{good}\r\n0\r\n\r\n", good.len())),
        ("a chunk's size that is none", NoReply, |good| format!("{MARK}\r\n{good}\r\n0\r\n\r\n")),
        ("a chunk that is too short", NoReply, |good| format!("{:x}\r\n{good}\r\n0\r\n\r\n", good.len() + 5)),
        ("a chunk that is too long", NoReply, |good| format!("{:x}\r\n{good}\r\n0\r\n\r\n", good.len() - 5)),
        ("no chunks at all", NoReply, str::to_owned),
        ("an extension of 20 kB", NoReply, |good| {
            format!("{:x};{}\r\n{good}\r\n0\r\n\r\n", good.len(), "x".repeat(20_000))
        }),
        ("five thousand trailers", NoReply, |good| {
            format!("{:x}\r\n{good}\r\n0\r\n{}\r\n", good.len(), format!("x-a: {MARK}\r\n").repeat(5_000))
        }),
    ];
    let mut faults: Vec<_> = bodies
        .into_iter()
        .map(|(what, meaning, body)| respond_with(what, meaning, move |good| CHUNKED.to_owned() + &body(good)))
        .collect();
    faults.push(Fault::new("chunks of a byte each", Good, |good| {
        let chunks = good.bytes().map(|byte| [&b"1\r\n"[..], &[byte], b"\r\n"].concat());
        vec![Send([CHUNKED.as_bytes().to_vec(), chunks.collect::<Vec<_>>().concat(), b"0\r\n\r\n".to_vec()].concat())]
    }));
    for (what, meaning, lines) in [
        ("chunks in capitals", Good, "Transfer-Encoding: CHUNKED"),
        ("chunks and a length", Good, "transfer-encoding: chunked\r\ncontent-length: 3"),
        ("chunks after something else", Good, "transfer-encoding: gzip, chunked"),
        ("something else after chunks", NoJson, "transfer-encoding: chunked, gzip"),
        ("no such encoding of the transfer", NoJson, "transfer-encoding: xchunked"),
        ("identity and chunks", Good, "transfer-encoding: identity\r\ntransfer-encoding: chunked"),
    ] {
        faults.push(respond_with(what, meaning, move |good| {
            let length = good.len();
            format!("HTTP/1.1 200 OK\r\nconnection: close\r\n{lines}\r\n\r\n{length:x}\r\n{good}\r\n0\r\n\r\n")
        }));
    }
    faults
}

/// Endless responses.
fn floods() -> Vec<Fault> {
    let of_spaces = || vec![b' '; 64 * 1024];
    let flood = |name: &str, meaning, head: String, piece: Vec<u8>| {
        Fault::new(name, meaning, move |_| vec![Send(head.clone().into_bytes()), Flood(piece.clone())])
    };
    vec![
        flood("200 MiB", TooLarge, "HTTP/1.1 200 OK\r\ncontent-length: 209715200\r\n\r\n".into(), of_spaces()),
        flood("a body without an end", TooLarge, "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".into(), of_spaces()),
        flood(
            "a refusal without an end",
            TooLarge,
            "HTTP/1.1 500 Oops\r\nconnection: close\r\n\r\n".into(),
            of_spaces(),
        ),
        flood("chunks without an end", TooLarge, CHUNKED.into(), [b"8000\r\n", &[b' '; 0x8000][..], b"\r\n"].concat()),
        flood("tiny chunks without an end", TooLarge, CHUNKED.into(), b"1\r\n \r\n".repeat(2_000)),
        flood("an extension without an end", NoReply, format!("{CHUNKED}1;"), vec![b'x'; 64 * 1024]),
        flood(
            "extensions without an end",
            NoReply,
            CHUNKED.into(),
            format!("1;{MARK}\r\n \r\n").repeat(2_000).into_bytes(),
        ),
        flood("trailers without an end", NoReply, format!("{CHUNKED}0\r\n"), b"x-a: b\r\n".repeat(2_000)),
        // Leading zeros never make the number too large, so only the timeout ends it.
        Fault::new("a chunk's size without an end", TooLate, |_| {
            vec![Send(CHUNKED.as_bytes().to_vec()), Drip("0".repeat(4_000))]
        }),
    ]
}
