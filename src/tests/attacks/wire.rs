//! Raw requests, and responses parsed as strictly as a client parses them.

use std::{borrow::Cow, net::SocketAddr, time::Duration};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use super::super::HOST_NAME;

/// Longest wait for a response or a close: longer than any limit of the server that a case here can meet.
const PATIENCE: Duration = Duration::from_secs(20);

pub const FORM: &str = "application/x-www-form-urlencoded";

/// A raw request: nothing is checked, nothing is encoded.
#[derive(Debug, Clone)]
pub struct Ask {
    method: String,
    target: Vec<u8>,
    head: Vec<(String, Vec<u8>)>,
    body: Vec<u8>,
}

/// A response as received; status 0 without one.
#[derive(Debug, Clone, Default)]
pub struct Reply {
    pub status: u16,
    /// Names in lower case, values read as Latin-1.
    pub head: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// A connection.
pub struct Line {
    stream: TcpStream,
    unread: Vec<u8>,
}

impl Ask {
    /// A request with a host only.
    pub fn new(method: &str, target: impl Into<Vec<u8>>) -> Self {
        let head = vec![("host".to_owned(), HOST_NAME.into())];
        Self { method: method.to_owned(), target: target.into(), head, body: Vec::new() }
    }

    pub fn get(target: impl Into<Vec<u8>>) -> Self {
        Self::new("GET", target)
    }

    /// A POST as a page of ours sends it.
    pub fn post(target: impl Into<Vec<u8>>, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        let ask = Self { body: body.into(), ..Self::new("POST", target) };
        ask.with("sec-fetch-site", "same-origin").with("content-type", kind)
    }

    /// A POST as a script of ours sends it.
    pub fn json(target: &str, body: &Value) -> Self {
        Self::post(target, "application/json", body.to_string())
    }

    /// Adds a line to the head.
    pub fn with(mut self, name: &str, value: impl Into<Vec<u8>>) -> Self {
        self.head.push((name.to_owned(), value.into()));
        self
    }

    /// Removes the lines of this name.
    pub fn without(mut self, name: &str) -> Self {
        self.head.retain(|(other, _)| other != name);
        self
    }

    /// The bytes to send, with the length of the body.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = [self.method.as_bytes(), b" ", &self.target, b" HTTP/1.1\r\n"].concat();
        for (name, value) in &self.head {
            bytes.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
        }
        if self.method == "POST" || !self.body.is_empty() {
            bytes.extend(format!("content-length: {}\r\n", self.body.len()).into_bytes());
        }
        bytes.extend(b"\r\n");
        bytes.extend(&self.body);
        bytes
    }
}

impl Reply {
    /// The value of a header: its lines, joined.
    pub fn header(&self, name: &str) -> Option<Cow<'_, str>> {
        let lines: Vec<_> = self.head.iter().filter(|(other, _)| other == name).map(|(_, value)| &**value).collect();
        match lines[..] {
            [] => None,
            [line] => Some(line.into()),
            _ => Some(lines.join(", ").into()),
        }
    }

    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }

    /// Whether the headers or the body contain this.
    pub fn holds(&self, what: &str) -> bool {
        self.text().contains(what) || self.head.iter().any(|(_, value)| value.contains(what))
    }

    pub fn is_document(&self) -> bool {
        self.header("content-type").is_some_and(|kind| kind.starts_with("text/html"))
    }
}

impl Line {
    pub async fn to(address: SocketAddr) -> Self {
        Self { stream: TcpStream::connect(address).await.expect("the server listens"), unread: Vec::new() }
    }

    /// Sends these bytes; the server may have closed already.
    pub async fn send(&mut self, bytes: &[u8]) {
        let _ = self.stream.write_all(bytes).await;
    }

    /// Closes the sending half.
    pub async fn end(&mut self) {
        let _ = self.stream.shutdown().await;
    }

    /// The next response; `None` if the server has closed, an empty one after [`PATIENCE`].
    pub async fn reply(&mut self) -> Option<Reply> {
        self.next(false).await
    }

    pub async fn reply_to(&mut self, ask: &Ask) -> Option<Reply> {
        self.next(ask.method == "HEAD").await
    }

    /// All responses until the server closes.
    pub async fn replies(&mut self) -> Vec<Reply> {
        let mut replies = Vec::new();
        while let Some(reply) = self.reply().await {
            let is_silent = reply.status == 0;
            replies.push(reply);
            if is_silent {
                break;
            }
        }
        replies
    }

    async fn next(&mut self, is_head: bool) -> Option<Reply> {
        loop {
            if let Some((reply, length)) = parse(&self.unread, is_head) {
                self.unread.drain(..length);
                return Some(reply);
            }
            match timeout(PATIENCE, self.stream.read_buf(&mut self.unread)).await {
                Err(_) => return Some(Reply::default()),
                // A connection that is reset is closed, too.
                Ok(Ok(0) | Err(_)) => return None,
                Ok(Ok(_)) => {}
            }
        }
    }
}

/// The first response in these bytes, and its length; `None` if it is incomplete.
fn parse(bytes: &[u8], is_head: bool) -> Option<(Reply, usize)> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let text: String = bytes[..end].iter().map(|byte| char::from(*byte)).collect();
    let mut lines = text.trim_end().split("\r\n");
    let status = lines.next()?.strip_prefix("HTTP/1.")?.split(' ').nth(1)?.parse().ok()?;
    let head = lines.filter_map(|line| line.split_once(':'));
    let head = head.map(|(name, value)| (name.to_lowercase(), value.trim().to_owned())).collect();
    let mut reply = Reply { status, head, body: Vec::new() };
    if is_head || status < 200 || matches!(status, 204 | 304) {
        return Some((reply, end));
    }
    let rest = &bytes[end..];
    let taken = if reply.header("transfer-encoding").is_some() {
        let (body, taken) = unchunked(rest)?;
        reply.body = body;
        taken
    } else {
        let length = reply.header("content-length").map_or(0, |length| length.parse().expect("a length is a number"));
        reply.body = rest.get(..length)?.to_vec();
        length
    };
    Some((reply, end + taken))
}

fn unchunked(bytes: &[u8]) -> Option<(Vec<u8>, usize)> {
    let (mut body, mut at) = (Vec::new(), 0);
    loop {
        let line = bytes[at..].windows(2).position(|two| two == b"\r\n")?;
        let size = std::str::from_utf8(&bytes[at..at + line]).ok()?;
        let size = usize::from_str_radix(size, 16).expect("chunk sizes of ours are plain");
        at += line + 2;
        body.extend(bytes.get(at..at + size)?);
        at += size + 2;
        if bytes.len() < at {
            return None;
        }
        if size == 0 {
            return Some((body, at));
        }
    }
}
