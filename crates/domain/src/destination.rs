//! Where a response leads: a page of the product, or an error screen.
//!
//! This is the server's type, which knows the parts of a destination. The browser has a type of its
//! own (`destination_in_browser.rs`).

use std::fmt::{self, Write};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::{
    problem::Problem,
    routes::{self, Page, has_flag},
};

/// Where a response leads. It is written as a path with a query, in visible ASCII.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// A page other than an error screen.
    Page(Page, Option<PageFlag>),
    /// An error screen.
    Error(Problem, ErrorFlags),
    /// The entry with a link, to validate that link again.
    Link(LinkQuery),
}

/// A flag of a page: one pair of its query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageFlag {
    /// See [`routes::NOTICE`].
    Notice,
    /// See [`routes::NEW_BANK`].
    NewBank,
    /// See [`routes::RETURNED`].
    Returned,
}

/// The flags of an error screen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ErrorFlags {
    /// See [`routes::OUTAGE`].
    pub outage: bool,
    /// The support code of the failed request. The screen shows it instead of the id of its own
    /// request, for which the log has no error.
    pub code: Option<SupportCode>,
}

/// The support code of a request: 12 hexadecimal digits, so that a forged link cannot put text on
/// the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SupportCode(String);

/// The query of a link, with the link's token. `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct LinkQuery {
    query: String,
    /// Whether the entry shows that the validation failed.
    has_notice: bool,
}

/// Hexadecimal digits of a support code.
const CODE_LEN: usize = 12;

impl Destination {
    /// The error screen of an outage: the link is not to blame.
    pub fn outage() -> Self {
        let flags = ErrorFlags {
            outage: true,
            ..ErrorFlags::default()
        };
        Self::Error(Problem::TokenInvalid, flags)
    }

    /// The error screen of a failed request.
    pub fn error(problem: Problem, request_id: Option<&str>) -> Self {
        let flags = ErrorFlags {
            code: request_id.and_then(SupportCode::parse),
            ..ErrorFlags::default()
        };
        Self::Error(problem, flags)
    }

    /// Parses a path with a query. Unknown parts of the query are dropped, except from a link's.
    /// Returns `None` if no page has that path.
    pub fn parse(text: &str) -> Option<Self> {
        let (path, query) = text.split_once('?').unwrap_or((text, ""));
        Some(match Page::at(path)? {
            Page::Error => Self::Error(Problem::at(path), ErrorFlags::in_query(query)),
            Page::Entry if !query.is_empty() => Self::Link(LinkQuery::new(query)),
            page => Self::Page(
                page,
                PageFlag::ALL.into_iter().find(|flag| flag.is_in(query)),
            ),
        })
    }

    /// Whether this is an error screen.
    pub fn is_error(&self) -> bool {
        matches!(self, Self::Error(..))
    }

    /// The same destination, which then shows the notice that the request failed. An error screen
    /// has no such notice.
    pub fn with_notice(self) -> Self {
        match self {
            Self::Page(page, _) => Self::Page(page, Some(PageFlag::Notice)),
            Self::Link(link) => Self::Link(LinkQuery {
                has_notice: true,
                ..link
            }),
            Self::Error(..) => self,
        }
    }
}

impl From<Page> for Destination {
    fn from(page: Page) -> Self {
        Self::Page(page, None)
    }
}

impl From<Problem> for Destination {
    fn from(problem: Problem) -> Self {
        Self::Error(problem, ErrorFlags::default())
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Page(page, None) => f.write_str(page.path()),
            Self::Page(page, Some(flag)) => write!(f, "{}?{}", page.path(), flag.pair()),
            Self::Error(problem, flags) => {
                write!(f, "{}/{}", routes::ERROR, problem.slug())?;
                flags.write_query(f)
            }
            Self::Link(link) => {
                write!(f, "{}?{}", routes::ENTRY, link.query)?;
                if link.has_notice && !PageFlag::Notice.is_in(&link.query) {
                    write!(f, "&{}", PageFlag::Notice.pair())?;
                }
                Ok(())
            }
        }
    }
}

impl Serialize for Destination {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Destination {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(from)?).ok_or_else(|| D::Error::custom("not a page"))
    }
}

impl PageFlag {
    pub const ALL: [Self; 3] = [Self::Notice, Self::NewBank, Self::Returned];

    /// Whether a raw query string contains the flag.
    pub fn is_in(self, query: &str) -> bool {
        has_flag(query, self.pair())
    }

    fn pair(self) -> &'static str {
        match self {
            Self::Notice => routes::NOTICE,
            Self::NewBank => routes::NEW_BANK,
            Self::Returned => routes::RETURNED,
        }
    }
}

impl ErrorFlags {
    /// Reads the flags from a raw query string and ignores the rest of it.
    pub fn in_query(query: &str) -> Self {
        Self {
            outage: has_flag(query, routes::OUTAGE),
            code: query
                .split('&')
                .find_map(|pair| pair.strip_prefix(routes::CODE))
                .and_then(SupportCode::parse),
        }
    }

    fn write_query(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.outage {
            write!(f, "?{}", routes::OUTAGE)?;
        }
        if let Some(code) = &self.code {
            let separator = if self.outage { '&' } else { '?' };
            write!(f, "{separator}{}{}", routes::CODE, code.as_str())?;
        }
        Ok(())
    }
}

impl SupportCode {
    /// Accepts a support code; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let is_code = text.len() == CODE_LEN
            && text
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_code.then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl LinkQuery {
    /// Wraps the raw query of a link. Everything except visible ASCII is percent-encoded, as
    /// browsers do.
    pub fn new(query: &str) -> Self {
        let mut ascii = String::with_capacity(query.len());
        for byte in query.bytes() {
            if byte.is_ascii_graphic() {
                ascii.push(char::from(byte));
            } else {
                write!(ascii, "%{byte:02X}").expect("a String can be written to");
            }
        }
        Self {
            query: ascii,
            has_notice: false,
        }
    }
}

impl fmt::Debug for LinkQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LinkQuery(…)")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::destination_in_browser::Destination as InBrowser;

    #[test]
    fn writes_destination_as_path_with_flags() {
        let both = ErrorFlags {
            outage: true,
            code: SupportCode::parse("0123456789ab"),
        };
        for (to, text) in [
            (Page::Accounts.into(), "/integration/accounts"),
            (Page::Entry.into(), "/"),
            (
                Destination::from(Page::Widget).with_notice(),
                "/integration/widget?aviso=sem-resposta",
            ),
            (
                Destination::Page(Page::Widget, Some(PageFlag::NewBank)),
                routes::INTEGRATE,
            ),
            (
                Destination::Page(Page::Accounts, Some(PageFlag::Returned)),
                "/integration/accounts?voltou=1",
            ),
            (Problem::TokenExpired.into(), "/error/token-expired"),
            (Destination::outage(), "/error/token-invalid?falha=servico"),
            (
                Destination::error(Problem::TokenExpired, Some("0123456789ab")),
                "/error/token-expired?codigo=0123456789ab",
            ),
            (
                Destination::Error(Problem::TokenExpired, both),
                "/error/token-expired?falha=servico&codigo=0123456789ab",
            ),
            (
                Destination::Link(LinkQuery::new("token=a&b")),
                "/?token=a&b",
            ),
        ] {
            assert_eq!(to.to_string(), text);
            assert_eq!(Destination::parse(text), Some(to), "{text}");
        }
    }

    #[test]
    fn adds_notice_to_link_only_once() {
        let again = Destination::Link(LinkQuery::new("token=a")).with_notice();
        let text = "/?token=a&aviso=sem-resposta";
        assert_eq!(again.to_string(), text);
        let twice = Destination::parse(text).unwrap().with_notice();
        assert_eq!(twice.to_string(), text);
        assert_eq!(format!("{again:?}"), "Link(LinkQuery(…))");
    }

    #[test]
    fn parses_only_known_paths_and_flags() {
        for (text, read_as) in [
            (
                "/error/token-expired?next=//evil.example&codigo=x",
                "/error/token-expired",
            ),
            (
                "/error/token-expired?codigo=0123456789ab&a=b&falha=servico",
                "/error/token-expired?falha=servico&codigo=0123456789ab",
            ),
            ("/error/whatever", "/error/token-invalid"),
            ("/integration/accounts/?a=b", "/integration/accounts"),
        ] {
            let to = Destination::parse(text).unwrap();
            assert_eq!(to.to_string(), read_as, "{text}");
        }
        for text in ["", "/nowhere", "//evil.example/", "https://evil.example/"] {
            assert_eq!(Destination::parse(text), None, "{text}");
        }
    }

    #[test]
    fn reads_only_valid_support_codes() {
        let code = |query| ErrorFlags::in_query(query).code;
        let expected = SupportCode::parse("0123456789ab");
        assert!(expected.is_some());
        assert_eq!(code("codigo=0123456789ab"), expected);
        assert_eq!(code("a=1&codigo=0123456789ab&b=2"), expected);
        for query in [
            "",
            "codigo=",
            "codigo=0123456789a",
            "codigo=0123456789abc",
            "codigo=0123456789AB",
            "codigo=529.982.247-",
            "xcodigo=0123456789ab",
        ] {
            assert_eq!(code(query), None, "{query}");
        }
    }

    /// The browser's type knows no parts of a destination, and builds only these few.
    #[test]
    fn browser_writes_destinations_as_the_server_does() {
        let same = |server: Destination, browser: InBrowser| {
            assert_eq!(server.to_string(), browser.to_string());
            assert_eq!(server.is_error(), browser.is_error());
        };
        same(Destination::outage(), InBrowser::outage());
        for &problem in Problem::ALL {
            same(problem.into(), problem.into());
        }
        for page in Page::ALL
            .iter()
            .copied()
            .filter(|page| *page != Page::Error)
        {
            let flagged = Destination::Page(page, Some(PageFlag::Returned));
            let json = serde_json::to_value(&flagged).unwrap();
            same(flagged, serde_json::from_value(json).unwrap());
        }
    }

    proptest! {
        #[test]
        fn writes_links_as_visible_ascii(query in "\\PC{0,40}|[!-~]{0,60}|[\\x00-\\x7f]{0,20}") {
            let text = Destination::Link(LinkQuery::new(&query)).with_notice().to_string();
            prop_assert!(text.bytes().all(|byte| byte.is_ascii_graphic()));
            let is_plain = query.bytes().all(|byte| byte.is_ascii_graphic());
            prop_assert_eq!(text.starts_with(&format!("/?{query}")), is_plain);
        }
    }
}
