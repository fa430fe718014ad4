//! Requests that two servers in a row may read differently: the end of a body, the end of a head, the host.

use serde_json::json;

use super::*;
use crate::tests::HOST_NAME;

/// The required outcome of a request.
#[derive(Debug, Clone, Copy)]
enum Must {
    /// One response, and the connection stays open.
    Taken(u16),
    /// At most one response, with one of these statuses; the server closes the connection.
    Refused(&'static [u16]),
    /// Either of the two, and nothing else.
    Either(u16),
}
use Must::{Either, Refused, Taken};

const BAD: Must = Refused(&[400]);
const TOO_LARGE: Must = Refused(&[431]);
const NOT_FOUND: u16 = 404;

/// A chunked request is served, as the last of its connection.
const LAST: Must = Refused(&[NOT_FOUND]);

/// A request with several codings is refused, or is the last of its connection, too.
const LAST_IF_AT_ALL: Must = Refused(&[400, NOT_FOUND]);

/// In the place of a status: no response.
const CLOSED: u16 = 0;

/// A case of more bytes may be left unread by the server, whose response may then be lost.
const LARGE: usize = 8_000;

struct Case {
    name: String,
    bytes: Vec<u8>,
    must: Must,
    /// The server waits for more of it.
    is_unfinished: bool,
}

impl Case {
    fn new(name: &str, bytes: impl Into<Vec<u8>>, must: Must) -> Self {
        Self { name: name.escape_debug().to_string(), bytes: bytes.into(), must, is_unfinished: false }
    }

    fn unfinished(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { is_unfinished: true, ..Self::new(name, bytes, BAD) }
    }
}

/// The request that is hidden in the body of another. By itself it is served.
fn hidden(target: &Target) -> Vec<u8> {
    Ask::get("/integration/accounts?listar=1").with("cookie", target.cookie()).bytes()
}

/// A request for an unknown action, with these lines in its head and this after it.
fn post(lines: &[u8], rest: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST /api/nothing HTTP/1.1\r\nhost: {HOST_NAME}\r\nsec-fetch-site: same-origin\r\ncontent-type: application/json\r\n"
    );
    [head.as_bytes(), lines, b"\r\n\r\n", rest].concat()
}

/// The length is declared: either the whole hidden request is the body, or the connection ends.
fn lengths(hidden: &[u8]) -> Vec<Case> {
    let length = hidden.len();
    let lines = [
        (format!("content-length: {length}"), Taken(NOT_FOUND)),
        (format!("Content-LENGTH:{length}"), Taken(NOT_FOUND)),
        (format!("content-length:\t {length} \t"), Taken(NOT_FOUND)),
        (format!("content-length: 000{length}"), Either(NOT_FOUND)),
        (format!("content-length: {length}\r\ncontent-length: {length}"), Either(NOT_FOUND)),
        (format!("content-length: {length}, {length}"), Either(NOT_FOUND)),
        (format!("content-length: {length}\r\ncontent-length: 0"), BAD),
        (format!("content-length: 0\r\ncontent-length: {length}"), BAD),
        (format!("content-length: 0, {length}"), BAD),
        (format!("content-length: +{length}"), BAD),
        (format!("content-length: -{length}"), BAD),
        (format!("content-length: 0x{length:x}"), BAD),
        (format!("content-length: {length}.0"), BAD),
        (format!("content-length: {length};"), BAD),
        (format!("content-length: \"{length}\""), BAD),
        (format!("content-length: {length} 0"), BAD),
        (format!("content-length: {length}\u{b}"), BAD),
        ("content-length:".into(), BAD),
        ("content-length: ٢".into(), BAD),
        ("content-length: 18446744073709551616".into(), BAD),
        ("content-length: 99999999999999999999999".into(), BAD),
        (format!("content-length: 0\r\n {length}"), BAD),
        (format!("content-length : {length}"), BAD),
        (format!("content-length\t: {length}"), BAD),
        (format!(" content-length: {length}"), BAD),
    ];
    lines.into_iter().map(|(line, must)| Case::new(&line, post(line.as_bytes(), hidden), must)).collect()
}

/// The transfer is encoded: a server that misses the encoding, or reads it differently, serves the request hidden after
/// the last chunk.
fn encodings(hidden: &[u8]) -> Vec<Case> {
    let whole = [format!("{:x}\r\n", hidden.len()).as_bytes(), hidden, b"\r\n0\r\n\r\n"].concat();
    let after = [b"0\r\n\r\n", hidden].concat();
    let length = after.len();
    let good = ["transfer-encoding: chunked", "Transfer-Encoding:CHUNKED", "transfer-encoding:\t chunked \t"];
    let mut cases: Vec<_> = good.map(|line| Case::new(line, post(line.as_bytes(), &whole), LAST)).into();
    let values: [&[u8]; 19] = [
        b"identity",
        b"gzip",
        b"gzip, chunked",
        b"chunked, gzip",
        b"chunked, chunked",
        b"identity, chunked",
        b"chunked, identity",
        b"xchunked",
        b"chunkedx",
        b"chunked;a=b",
        b"\"chunked\"",
        b"chunked,",
        b", chunked",
        b"",
        b"chun\tked",
        b"\x0bchunked",
        b"chunked\0",
        b"chunked\xe9",
        b"cow",
    ];
    for value in values {
        let line = [b"transfer-encoding: ", value].concat();
        cases.push(Case::new(&String::from_utf8_lossy(&line), post(&line, &after), LAST_IF_AT_ALL));
    }
    for line in [
        format!("content-length: {length}\r\ntransfer-encoding: chunked"),
        format!("transfer-encoding: chunked\r\ncontent-length: {length}"),
        format!("x: y\ntransfer-encoding: chunked\r\ncontent-length: {length}"),
    ] {
        cases.push(Case::new(&line, post(line.as_bytes(), &after), LAST));
    }
    for line in [
        format!("transfer-encoding: chunked\r\ncontent-length: {length}\r\ntransfer-encoding: identity"),
        "transfer-encoding: identity\r\ntransfer-encoding: chunked".into(),
        "transfer-encoding: chunked\r\ntransfer-encoding: identity".into(),
        "transfer-encoding: chunked\r\ntransfer-encoding: chunked".into(),
        "transfer-encoding: gzip\r\ntransfer-encoding: chunked".into(),
        "transfer-encoding : chunked".into(),
        "transfer-encoding:\r\n chunked".into(),
        "x: y\rtransfer-encoding: chunked".into(),
        "x: y\r\n\ttransfer-encoding: chunked".into(),
    ] {
        cases.push(Case::new(&line, post(line.as_bytes(), &after), LAST_IF_AT_ALL));
    }
    let other = format!("transfer_encoding: chunked\r\ncontent-length: {length}");
    cases.push(Case::new(&other, post(other.as_bytes(), &after), Taken(NOT_FOUND)));
    let old = post(b"transfer-encoding: chunked", &after);
    let old = String::from_utf8(old).unwrap().replacen("HTTP/1.1", "HTTP/1.0", 1);
    cases.push(Case::new("chunked in HTTP/1.0", old, BAD));
    cases
}

/// Variants of chunks.
fn chunks(hidden: &[u8]) -> Vec<Case> {
    let (size, length) = (format!("{:x}", hidden.len()), hidden.len());
    let chunk = |size: &str| [size.as_bytes(), b"\r\n", hidden, b"\r\n0\r\n\r\n"].concat();
    let trailers = |lines: &str| [b"2\r\n{}\r\n0\r\n", lines.as_bytes(), b"\r\n"].concat();
    let chunked = |name: &str, body: &[u8], must| Case::new(name, post(b"transfer-encoding: chunked", body), must);
    let waits = |name: &str, body: &[u8]| Case::unfinished(name, post(b"transfer-encoding: chunked", body));
    let mut cases: Vec<_> =
        [size.to_uppercase(), format!("000{size}"), format!("{size};a=b"), format!("{size};a=\"b\"")]
            .iter()
            .map(|size| chunked(&format!("chunk size {size}"), &chunk(size), LAST))
            .collect();
    cases.push(chunked("chunk size with a blank", &chunk(&format!("{size} ")), Either(NOT_FOUND)));
    for size in ["", "g", "0x4", "+4", "-4", " 4", "4_0", "fffffffffffffffff", "1000000000000000000"] {
        cases.push(chunked(&format!("chunk size {size:?}"), &chunk(size), BAD));
    }
    cases.push(chunked("a long extension", &chunk(&format!("{size};{}", "a".repeat(20_000))), BAD));
    cases.push(chunked("an extension with a line end", &chunk(&format!("{size};a\n0\r\n\r\n")), BAD));
    cases.push(chunked("no line end after a chunk", &[size.as_bytes(), b"\r\n", hidden, b"0\r\n\r\n"].concat(), BAD));
    cases.push(chunked(
        "a bare line end after a size",
        &[size.as_bytes(), b"\n", hidden, b"\r\n0\r\n\r\n"].concat(),
        BAD,
    ));
    cases.push(chunked(
        "a chunk that is too large",
        &[b"5000\r\n", &[b'a'; 0x5000][..], b"\r\n0\r\n\r\n"].concat(),
        Either(413),
    ));
    for trailer in [
        "x: y\r\n".to_owned(),
        "transfer-encoding: chunked\r\n".into(),
        format!("host: {MARK}\r\nsec-fetch-site: same-origin\r\n"),
    ] {
        cases.push(chunked(&format!("trailer {trailer}"), &trailers(&trailer), LAST));
    }
    let length = trailers(&format!("content-length: {length}\r\n"));
    cases.push(chunked("a trailer that says a length", &length, Either(NOT_FOUND)));
    cases.push(chunked("trailers without end", &trailers(&"x: y\r\n".repeat(10_000)), BAD));
    cases.push(waits("a chunk that breaks off", b"ff\r\n{}"));
    cases.push(waits("no last chunk", b"2\r\n{}\r\n"));
    cases.push(Case::unfinished("a body that breaks off", post(b"content-length: 100", b"{}")));
    cases
}

/// Request lines and headers.
fn heads() -> Vec<Case> {
    let with = |line: &str| format!("GET /robots.txt HTTP/1.1\r\nhost: {HOST_NAME}\r\n{line}\r\n\r\n");
    let begun = |start: &str| format!("{start}\r\nhost: {HOST_NAME}\r\n\r\n");
    let mut cases = Vec::new();
    for (line, must) in [
        ("a: b", Taken(200)),
        ("a:", Taken(200)),
        ("a: b\u{e9}", Taken(200)),
        ("a b: c", BAD),
        ("a : b", BAD),
        ("a", BAD),
        (": b", BAD),
        ("a(b): c", BAD),
        ("é: b", BAD),
        ("a: b\0c", BAD),
        ("a: b\rc", BAD),
        ("a: b\u{7f}", Either(200)),
        ("a: b\r\n c", BAD),
        ("a: b\nc: d", Either(200)),
        ("upgrade: h2c\r\nconnection: upgrade, http2-settings\r\nhttp2-settings: AAMAAABkAAQAAP__", Taken(200)),
        (
            "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAA",
            Taken(200),
        ),
        ("expect: 200-ok", Either(200)),
    ] {
        cases.push(Case::new(line, with(line), must));
    }
    for (name, line, must) in [
        ("a header of 8 kB", format!("a: {}", "a".repeat(8_000)), Taken(200)),
        ("a head over 16 kB", format!("a: {}", "a".repeat(17_000)), TOO_LARGE),
        ("a head of 40 kB", format!("a: {}", "a".repeat(40_000)), TOO_LARGE),
        ("40 headers", "a: b\r\n".repeat(40) + "a: b", Taken(200)),
        ("100 headers", "a: b\r\n".repeat(100) + "a: b", TOO_LARGE),
        ("a name of 20 kB", format!("{}: b", "a".repeat(20_000)), TOO_LARGE),
    ] {
        cases.push(Case::new(name, with(&line), must));
    }
    for (start, must) in [
        ("\r\nGET /robots.txt HTTP/1.1", Either(200)),
        (" GET /robots.txt HTTP/1.1", BAD),
        ("GET  /robots.txt HTTP/1.1", BAD),
        ("GET /robots.txt HTTP/1.1 ", BAD),
        ("GET\t/robots.txt\tHTTP/1.1", BAD),
        ("GET /robots.txt", BAD),
        ("GET /robots.txt HTTP/2.0", BAD),
        ("GET /robots.txt HTTP/1.2", BAD),
        ("GET /robots.txt HTTP/1.10", BAD),
        ("GET /robots.txt http/1.1", BAD),
        ("GET /robots.txt HTTP/1.1a", BAD),
        ("G\0T /robots.txt HTTP/1.1", BAD),
        ("GÉT /robots.txt HTTP/1.1", BAD),
        ("GET /robots.txt ev1l HTTP/1.1", BAD),
        ("GET /robots\u{7f}.txt HTTP/1.1", BAD),
        ("GET robots.txt HTTP/1.1", Either(400)),
        ("GET ev1l.example:80 HTTP/1.1", Either(400)),
        ("get /robots.txt HTTP/1.1", Taken(405)),
        ("CONNECT ev1l.example:443 HTTP/1.1", Either(405)),
        ("OPTIONS * HTTP/1.1", Either(405)),
        ("GET * HTTP/1.1", Either(404)),
        ("GET http://ev1l.example/robots.txt HTTP/1.1", Either(200)),
        ("GET https://ev1l.example/robots.txt HTTP/1.1", Either(200)),
        ("GET ftp://ev1l.example/robots.txt HTTP/1.1", Either(200)),
        ("GET //ev1l.example/robots.txt HTTP/1.1", Taken(NOT_FOUND)),
        ("GET /\\ev1l.example/robots.txt HTTP/1.1", Either(NOT_FOUND)),
        ("GET /robots.txt#ev1l HTTP/1.1", Either(200)),
        ("GET /%ff HTTP/1.1", Taken(NOT_FOUND)),
        ("GET /%zz HTTP/1.1", Either(NOT_FOUND)),
    ] {
        cases.push(Case::new(start, begun(start), must));
    }
    cases.push(Case::new("no UTF-8 in the target", b"GET /\xff\xfe HTTP/1.1\r\nhost: a\r\n\r\n".as_slice(), BAD));
    let long = |length: usize| begun(&format!("GET /cancel/confirm?{} HTTP/1.1", "a".repeat(length)));
    cases.push(Case::new("a target of 9 kB", long(9_000), Taken(414)));
    cases.push(Case::new("a target of 70 kB", long(70_000), Refused(&[414, 431])));
    cases.push(Case::new(
        "only bare line ends",
        format!("GET /robots.txt HTTP/1.1\nhost: {HOST_NAME}\n\n"),
        Either(200),
    ));
    cases.push(Case::new(
        "HTTP/2",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0".as_slice(),
        Refused(&[400, CLOSED]),
    ));
    cases.push(Case::new("TLS", b"\x16\x03\x01\0\xa5\x01\0\0\xa1\x03\x03\r\n\r\n".as_slice(), BAD));
    cases
}

/// The host: whatever it is, no response repeats it.
fn hosts() -> Vec<Case> {
    let asked = |version: &str, lines: &str| format!("GET /robots.txt {version}\r\n{lines}\r\n");
    let mut cases = vec![
        Case::new("no host", asked("HTTP/1.1", ""), Either(200)),
        Case::new("two hosts", asked("HTTP/1.1", "host: a\r\nhost: b\r\n"), Either(200)),
        Case::new("one host twice", asked("HTTP/1.1", "host: a\r\nhost: a\r\n"), Either(200)),
    ];
    for host in [
        "vincula.example:8443",
        "127.0.0.1:3000",
        "[::1]:3000",
        "a ev1l",
        "a\"><script>ev1l</script>",
        "a/ev1l",
        "ev1l@a",
        "a:ev1l",
        "a\\ev1l",
        "a?ev1l",
        "a#ev1l",
        "ev1lé",
        "a:80:80",
        "[::1",
    ] {
        let lines = format!("host: {host}\r\n");
        cases.push(Case::new(&format!("host {host}"), asked("HTTP/1.1", &lines), Either(200)));
    }
    cases
}

#[tokio::test]
async fn one_request_is_one_request_whatever_its_shape() {
    let target = Target::of(TestApp::entered(json!({})).await).await;
    let hidden = hidden(&target);
    let cases = [lengths(&hidden), encodings(&hidden), chunks(&hidden), heads(), hosts()];
    let mut area = Area::begin("shapes of HTTP");
    for case in cases.into_iter().flatten() {
        let violations = tried(&target, &case).await;
        area.case(&case.name, violations);
    }
    let violations = obeyed(&target, &hidden).await;
    area.case("the hidden request by itself", violations);
    area.finish();
}

/// Sends the case and after it, on the same connection, a plain request.
async fn tried(target: &Target, case: &Case) -> Violations {
    let last = Ask::get("/healthz").with("connection", "close").bytes();
    let mut line = Line::to(target.address).await;
    line.send(&case.bytes).await;
    if case.is_unfinished {
        line.end().await
    } else {
        line.send(&last).await
    }
    let replies = line.replies().await;
    let statuses: Vec<_> =
        replies.iter().map(|reply| reply.status).filter(|status| *status >= 200 || *status == 0).collect();
    let mut violations = Violations::default();
    let may_be_lost = case.is_unfinished || case.bytes.len() > LARGE;
    let is_refused = |allowed: &[u16]| match statuses[..] {
        [] => may_be_lost || allowed.contains(&CLOSED),
        [status] => allowed.contains(&status),
        _ => false,
    };
    let holds = match case.must {
        Taken(status) => statuses == [status, 200],
        Refused(allowed) => is_refused(allowed),
        Either(status) => statuses == [status, 200] || is_refused(&[400, status]),
    };
    violations.check(holds, format_args!("{statuses:?} instead of {:?}", case.must));
    for reply in &replies {
        violations.check(reply.status != 101, "changes the protocol");
        violations.check_common(reply);
        violations.check_no_cookie(reply);
    }
    violations.check_no_upstream_call(target);
    violations
}

/// Otherwise no case above could fail.
async fn obeyed(target: &Target, hidden: &[u8]) -> Violations {
    let mut line = Line::to(target.address).await;
    line.send(hidden).await;
    let reply = line.reply().await.unwrap_or_default();
    let mut violations = Violations::default();
    violations.check_status(&reply, &[200]);
    violations.check(target.app.upstream.lines() == ["GET /list-accounts"], "would have been refused anyway");
    violations
}
