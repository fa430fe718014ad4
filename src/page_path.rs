//! Where a response leads: a page of the product, or an error screen.

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};

use crate::{
    problem::{Problem, ProblemFacts},
    routes::{self, Page, has_flag},
};

/// A path of the product with its query, in visible ASCII. `Debug` hides the query: a link's has the
/// link's token.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PagePath(String);

impl PagePath {
    /// The entry with the raw query of a link, to validate that link again. Everything except
    /// visible ASCII is percent-encoded, as browsers do.
    pub fn link(query: &str) -> Self {
        let mut path = format!("{}?", routes::ENTRY);
        for byte in query.bytes() {
            if byte.is_ascii_graphic() {
                path.push(char::from(byte));
            } else {
                write!(path, "%{byte:02X}").expect("a String can be written to");
            }
        }
        Self(path)
    }

    /// The same page with another pair in its query, such as [`routes::NOTICE`], unless it has that
    /// already.
    pub fn with_pair(mut self, pair: &str) -> Self {
        let (_, query) = self.parts();
        if query.is_some_and(|query| has_flag(query, pair)) {
            return self;
        }
        let separator = if query.is_some() { '&' } else { '?' };
        self.0.push(separator);
        self.0.push_str(pair);
        self
    }

    /// The same page. An error screen shows the support code of the failed request, instead of the
    /// id of its own request, for which the log has no error.
    pub fn with_support_code(self, code: &str) -> Self {
        if self.is_error() {
            self.with_pair(&format!("{}{code}", routes::CODE))
        } else {
            self
        }
    }

    /// Whether this is an error screen.
    pub fn is_error(&self) -> bool {
        let (path, _) = self.parts();
        Page::from_path(path) == Some(Page::Error)
    }

    /// Whether this is the error screen of a problem.
    pub fn is_screen_of(&self, problem: Problem) -> bool {
        let (path, query) = self.parts();
        self.is_error() && Problem::at(path, query.unwrap_or_default()) == problem
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path, and the query if there is one.
    fn parts(&self) -> (&str, Option<&str>) {
        match self.0.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (&self.0, None),
        }
    }
}

impl From<Page> for PagePath {
    fn from(page: Page) -> Self {
        Self(page.path().to_owned())
    }
}

impl From<Problem> for PagePath {
    fn from(problem: Problem) -> Self {
        let ProblemFacts { slug, flag, .. } = problem.facts();
        let path = Self(format!("{}/{slug}", routes::ERROR));
        match flag {
            Some(flag) => path.with_pair(flag),
            None => path,
        }
    }
}

impl fmt::Debug for PagePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, query) = self.parts();
        let hidden = if query.is_some() { "?…" } else { "" };
        write!(f, "{path}{hidden}")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn adds_pairs_to_query() {
        for (path, text) in [
            (Page::Accounts.into(), "/integration/accounts"),
            (
                PagePath::from(Page::Widget).with_pair(routes::NEW_BANK),
                routes::INTEGRATE,
            ),
            (
                PagePath::from(Page::Accounts).with_pair(routes::RETURNED),
                "/integration/accounts?voltou=1",
            ),
            (Problem::TokenExpired.into(), "/error/token-expired"),
            (
                PagePath::from(Problem::Outage),
                "/error/token-invalid?falha=servico",
            ),
            (
                PagePath::from(Problem::Outage).with_support_code("0123456789ab"),
                "/error/token-invalid?falha=servico&codigo=0123456789ab",
            ),
            (
                PagePath::from(Page::Accounts).with_support_code("0123456789ab"),
                "/integration/accounts",
            ),
            (PagePath::link("token=a&b"), "/?token=a&b"),
            (
                PagePath::link("token=a").with_pair(routes::NOTICE),
                "/?token=a&aviso=sem-resposta",
            ),
            (
                PagePath::link("token=a&aviso=sem-resposta").with_pair(routes::NOTICE),
                "/?token=a&aviso=sem-resposta",
            ),
        ] {
            assert_eq!(path.as_str(), text);
        }
    }

    #[test]
    fn debug_hides_token_of_link() {
        assert_eq!(format!("{:?}", PagePath::link("token=a")), "/?…");
        let accounts = PagePath::from(Page::Accounts);
        assert_eq!(format!("{accounts:?}"), "/integration/accounts");
    }

    #[test]
    fn recognizes_error_screens() {
        assert!(
            Problem::ALL
                .iter()
                .all(|&problem| PagePath::from(problem).is_error())
        );
        assert!(!PagePath::from(Page::Accounts).is_error());
        assert!(!PagePath::link("/error/token-invalid").is_error());
        let expired = PagePath::from(Problem::TokenExpired).with_support_code("0123456789ab");
        assert!(expired.is_screen_of(Problem::TokenExpired));
        assert!(!expired.is_screen_of(Problem::TokenInvalid));
        assert!(PagePath::from(Problem::Outage).is_screen_of(Problem::Outage));
        assert!(!PagePath::link("/token-expired").is_screen_of(Problem::TokenInvalid));
    }

    proptest! {
        #[test]
        fn writes_links_as_visible_ascii(query in "\\PC{0,40}|[!-~]{0,60}|[\\x00-\\x7f]{0,20}") {
            let path = PagePath::link(&query).with_pair(routes::NOTICE);
            let text = path.as_str();
            prop_assert!(text.bytes().all(|byte| byte.is_ascii_graphic()));
            let is_plain = query.bytes().all(|byte| byte.is_ascii_graphic());
            prop_assert_eq!(text.starts_with(&format!("/?{query}")), is_plain);
        }
    }
}
