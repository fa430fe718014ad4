//! Rejects requests about whose host or end two servers might disagree (request smuggling).

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

use axum::http::{HeaderMap, HeaderValue, Request, Version, header, uri::Authority};

/// The start of a header line that hyper removes before any service sees it, if the request has a transfer coding, too.
const LENGTH: &[u8] = b"content-length:";

/// `Content-Length` lines of a connection: how many arrived, and how many of them hyper has passed on.
#[derive(Debug, Default)]
pub struct Lengths {
    arrived: AtomicUsize,
    shown: AtomicUsize,
}

/// Counts these lines in the raw bytes. A line of a body counts, too: no page of ours sends one.
#[derive(Debug)]
pub struct Reader {
    lengths: Arc<Lengths>,
    /// Bytes of [`LENGTH`] that the current line has matched; `None` if it is another line.
    matched: Option<usize>,
}

impl Reader {
    pub fn new(lengths: Arc<Lengths>) -> Self {
        Self { lengths, matched: Some(0) }
    }

    pub fn read(&mut self, mut bytes: &[u8]) {
        loop {
            if self.matched.is_none() {
                let Some(end) = memchr::memchr(b'\n', bytes) else { return };
                bytes = &bytes[end..];
            }
            let Some((byte, rest)) = bytes.split_first() else { return };
            bytes = rest;
            self.matched = match self.matched {
                _ if *byte == b'\n' => Some(0),
                Some(at) if LENGTH[at] == byte.to_ascii_lowercase() => Some(at + 1),
                _ => None,
            };
            if self.matched == Some(LENGTH.len()) {
                self.lengths.arrived.fetch_add(1, Relaxed);
                self.matched = None;
            }
        }
    }
}

impl Lengths {
    /// Whether hyper has withheld a length, of this request or an earlier one.
    fn are_hidden_after(&self, headers: &HeaderMap) -> bool {
        let now = headers.get_all(header::CONTENT_LENGTH).iter().count();
        self.shown.fetch_add(now, Relaxed) + now < self.arrived.load(Relaxed)
    }
}

/// Whether the request has one valid host and one way to find its end (RFC 9112, 3.2 and 6.3).
pub fn is_sound<B>(request: &Request<B>, lengths: &Lengths) -> bool {
    let headers = request.headers();
    let hidden = lengths.are_hidden_after(headers);
    names_its_host(request.version(), headers) && ends_in_one_way(headers, hidden)
}

fn names_its_host(version: Version, headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) => version < Version::HTTP_11,
        (Some(host), None) => is_host(host),
        (Some(_), Some(_)) => false,
    }
}

/// A name or an address, perhaps with a port, without a user.
fn is_host(value: &HeaderValue) -> bool {
    let text = value.to_str().unwrap_or_default();
    !text.contains('@') && text.parse::<Authority>().is_ok_and(|host| !host.host().is_empty())
}

fn ends_in_one_way(headers: &HeaderMap, has_hidden_length: bool) -> bool {
    let mut codings = headers.get_all(header::TRANSFER_ENCODING).iter();
    match (codings.next(), codings.next()) {
        (None, _) => true,
        (Some(coding), None) => coding.as_bytes().eq_ignore_ascii_case(b"chunked") && !has_hidden_length,
        (Some(_), Some(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(version: Version, hosts: &[&str]) -> bool {
        let headers = hosts.iter().map(|host| (header::HOST, host.parse().unwrap())).collect();
        names_its_host(version, &headers)
    }

    #[test]
    fn a_host_is_named_once_and_well() {
        for well in ["a", "vincula.example.com", "127.0.0.1:3000", "[::1]:80", "my_app", "a:"] {
            assert!(host(Version::HTTP_11, &[well]), "{well}");
        }
        for bad in ["", "a b\"><script>", "a/b", "user@a", "a b", "a:80:80", "[::1", ":80", "a?b"] {
            assert!(!host(Version::HTTP_11, &[bad]), "{bad:?}");
            assert!(!host(Version::HTTP_10, &[bad]), "{bad:?}");
        }
        assert!(!host(Version::HTTP_11, &[]));
        assert!(host(Version::HTTP_10, &[]), "which had no such header yet");
        assert!(!host(Version::HTTP_11, &["a", "a"]));
    }

    #[test]
    fn lengths_are_counted_however_they_come_in() {
        let text = b"POST / HTTP/1.1\r\nContent-Length: 1\r\nx-content-length: 2\r\ncontent-lengths: 3\r\n\r\na\ncontent-length:\n";
        for size in 1..text.len() {
            let lengths = Arc::<Lengths>::default();
            let mut reader = Reader::new(Arc::clone(&lengths));
            text.chunks(size).for_each(|bytes| reader.read(bytes));
            assert_eq!(lengths.arrived.load(Relaxed), 2, "in pieces of {size}");
        }
    }

    #[test]
    fn a_length_that_is_not_shown_is_missed() {
        let (lengths, mut shown) = (Lengths::default(), HeaderMap::new());
        shown.insert(header::CONTENT_LENGTH, 1.into());
        lengths.arrived.store(2, Relaxed);
        assert!(lengths.are_hidden_after(&shown));
        assert!(!lengths.are_hidden_after(&shown));
        assert!(!lengths.are_hidden_after(&HeaderMap::new()));
    }
}
