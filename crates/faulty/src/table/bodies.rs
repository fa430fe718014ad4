//! Bodies with a 2xx status: not JSON, JSON of another shape, or too much of it.

use super::{respond_with, response, response_bytes};
use crate::{
    Fault, MARK,
    Meaning::{Empty, Good, LongList, NoJson, OtherShape, TooLarge},
};

/// Below the smallest limit of a response, so that the client reads it in full; decompressed it has 8 MB.
const BOMB_BYTES: usize = 8 * 1024;

pub(super) fn all() -> Vec<Fault> {
    let mut faults = Vec::new();
    let html = "content-type: text/html\r\n";
    for (what, lines, body) in [
        ("a page", html, format!("<!doctype html><h1>{MARK}</h1>")),
        ("a page that says that it is JSON", "content-type: application/json\r\n", format!("<h1>{MARK}</h1>")),
        ("a page that sends on", html, format!("<meta http-equiv=refresh content='0;url=http://{MARK}.invalid'>")),
        ("a word", "content-type: text/plain\r\n", "OK".into()),
        ("a table", "content-type: text/csv\r\n", format!("bank;agency\n{MARK};0001\n")),
        ("XML", "content-type: application/xml\r\n", format!("<?xml version=\"1.0\"?><data>{MARK}</data>")),
        ("YAML", "", format!("data:\n  - bank: {MARK}\n")),
        ("a script", "content-type: text/javascript\r\n", format!("callback({{\"data\":[\"{MARK}\"]}})")),
        ("a guarded JSON", "", ")]}',\n{\"data\":[]}".into()),
        ("JSON after a byte order mark", "", "\u{feff}{\"data\":[]}".into()),
        ("two JSON texts", "", "{\"data\":[]}\n{\"data\":[]}".into()),
        ("JSON and more", "", format!("{{\"data\":[]}} {MARK}")),
        ("JSON with a comma too many", "", "{\"data\":[{\"bank\":1},],}".into()),
        ("JSON with a comment", "", "{\"data\":[] /* */}".into()),
        ("JSON in single quotes", "", "{'data':[]}".into()),
        ("JSON with no number", "", "{\"data\":[],\"x\":NaN}".into()),
        ("JSON that ends early", "", format!("{{\"data\":[{{\"bank\":\"{MARK}")),
        ("JSON with raw control characters", "", "{\"data\":\"a\u{1}\0\"}".into()),
        ("a zero", "", "\0".into()),
    ] {
        faults.push(respond_with(what, NoJson, move |_| response("200 OK", lines, &body)));
    }
    for (what, bytes) in [
        ("JSON in UTF-16", "{\"data\":[]}".encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("bytes by chance", (0..4_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect()),
        ("an image", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec()),
        ("a packed bomb", bomb()),
    ] {
        faults.push(Fault::new(what, NoJson, move |_| response_bytes("200 OK", "content-encoding: gzip\r\n", &bytes)));
    }
    for (what, body) in [("nothing", ""), ("spaces", "  \r\n\t "), ("a new line", "\n")] {
        faults.push(respond_with(what, Empty, move |_| response("200 OK", "", body)));
    }
    let deep = format!("{}{}", "[".repeat(30_000), "]".repeat(30_000));
    for (what, body) in [
        ("null", "null".into()),
        ("true", "true".into()),
        ("a number", "200".into()),
        ("a text", format!("\"{MARK}\"")),
        ("a list", format!("[{{\"data\":[\"{MARK}\"]}}]")),
        ("an object without data", format!("{{\"result\":\"{MARK}\",\"meta\":{{\"status\":200}}}}")),
        ("data of another letter case", "{\"Data\":[]}".into()),
        ("no data", "{\"data\":null}".into()),
        ("data that are true", "{\"data\":true,\"meta\":{\"status\":200}}".into()),
        ("data that are a number", "{\"data\":7}".into()),
        ("data that are a blank text", "{\"data\":\" \"}".into()),
        ("data in data", "{\"data\":{\"data\":[]}}".into()),
        ("data of lists", "{\"data\":[[],[]]}".into()),
        ("data of nulls", "{\"data\":[null]}".into()),
        ("data of numbers", format!("{{\"data\":[{}]}}", vec!["0"; 20_000].join(","))),
        ("fields that are objects", "{\"data\":[{\"bank\":{},\"code\":{},\"agency\":[]}]}".into()),
        ("fields that are true", "{\"data\":[{\"bank\":true,\"code\":true}]}".into()),
        ("deep data", format!("{{\"data\":{deep}}}")),
        ("a deep field", format!("{{\"data\":[{{\"bank\":{deep},\"code\":[]}}]}}")),
        ("nothing but depth", deep.clone()),
        ("a session without a firm", "{\"data\":{\"client_name\":\"Ana\",\"customer_id\":null}}".into()),
    ] {
        faults.push(respond_with(what, OtherShape, move |_| response("200 OK", "", &body)));
    }
    faults.extend([
        respond_with("much besides", Good, |good| with(good, &format!("\"x\":\"{}\"", MARK.repeat(2_000)))),
        respond_with("many fields besides", Good, |good| {
            with(good, &(0..5_000).map(|at| format!("\"x{at}\":0")).collect::<Vec<_>>().join(","))
        }),
        respond_with("depth besides", Good, move |good| with(good, &format!("\"x\":{deep}"))),
        respond_with("space around", Good, |good| {
            response("200 OK", "", &format!("\r\n\t{good}{}", " ".repeat(30_000)))
        }),
        respond_with("too much besides", TooLarge, |good| with(good, &format!("\"x\":\"{}\"", "x".repeat(600_000)))),
        respond_with("too much space", TooLarge, |good| {
            response("200 OK", "", &format!("{good}{}", " ".repeat(600_000)))
        }),
        respond_with("many empty rows", LongList, |_| {
            response("200 OK", "", &format!("{{\"data\":[{}]}}", vec!["{}"; 170_000].join(",")))
        }),
        respond_with("many full rows", LongList, |_| {
            let row = "{\"bank\":1e300,\"agency\":2,\"number\":3,\"name\":4,\"code\":1e300}";
            response("200 OK", "", &format!("{{\"data\":[{}]}}", vec![row; 8_000].join(",")))
        }),
        respond_with("a row of one long text", LongList, |_| {
            let text = "<&\\u0000".repeat(50_000);
            response("200 OK", "", &format!("{{\"data\":[{{\"bank\":\"{text}\",\"code\":\"1\",\"name\":\"\"}}]}}"))
        }),
        respond_with("too many rows", TooLarge, |_| {
            response("200 OK", "", &format!("{{\"data\":[{}]}}", vec!["{}"; 1_400_000].join(",")))
        }),
    ]);
    faults
}

/// The good response with more fields.
fn with(good: &str, more: &str) -> String {
    response("200 OK", "", &good.replacen('{', &format!("{{{more},"), 1))
}

/// Spaces, compressed by gzip: one, and then "repeat the last one 258 times" (13 bits) again and again, without an end.
fn bomb() -> Vec<u8> {
    let bits = String::from("110") + "01010000" + &"1100010100000".repeat(9);
    let bytes = bits.as_bytes().chunks_exact(8).map(|byte| {
        let set = byte.iter().enumerate().filter(|(_, bit)| **bit == b'1');
        set.fold(0, |byte, (at, _)| byte | 1 << at)
    });
    let packed: Vec<u8> = bytes.collect();
    let (start, again) = packed[..15].split_at(2);
    let head = [31, 139, 8, 0, 0, 0, 0, 0, 0, 255];
    [&head, start, &again.repeat(BOMB_BYTES / again.len())].concat()
}
