//! Where a response leads.

use std::fmt::{self, Write};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use vincula_domain::Private;

use crate::{
    problem::Problem,
    routes::{self, Page, has_flag},
};

/// Where a response leads. It is written as a path of the product with its query, in visible ASCII.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    Page {
        page: Page,
        /// Whether it shows the notice that its form was not answered.
        has_notice: bool,
    },
    /// An error screen.
    Error {
        problem: Problem,
        /// The support code of the failed request. Without it, the screen would show the id of its
        /// own request, for which the log has no error.
        code: Option<String>,
    },
    /// The entry with the raw query of a link, to validate that link again. `Debug` hides it, because
    /// it contains the link's token.
    Link(Private<String>),
}

impl Destination {
    /// The same page with the notice that its form was not answered.
    pub fn with_notice(self) -> Self {
        match self {
            Self::Page { page, .. } => Self::Page {
                page,
                has_notice: true,
            },
            Self::Link(query) if !has_flag(&query, routes::NOTICE) => {
                Self::Link(format!("{}&{}", *query, routes::NOTICE).into())
            }
            other => other,
        }
    }

    /// The same, with the support code of the failed request if it is an error screen.
    pub fn with_support_code(self, code: &str) -> Self {
        match self {
            Self::Error { problem, .. } => Self::Error {
                problem,
                code: Some(code.to_owned()),
            },
            other => other,
        }
    }

    /// Reads what [`Display`](fmt::Display) has written.
    fn from_path(path: &str) -> Option<Self> {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        match Page::from_path(path)? {
            Page::Error => Some(Self::Error {
                problem: Problem::at(path, query),
                code: routes::support_code(query).map(str::to_owned),
            }),
            Page::Entry if !query.is_empty() => Some(Self::Link(query.into())),
            page => Some(Self::Page {
                page,
                has_notice: query == routes::NOTICE,
            }),
        }
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Page {
                page,
                has_notice: false,
            } => f.write_str(page.path()),
            Self::Page { page, .. } => write!(f, "{}?{}", page.path(), routes::NOTICE),
            Self::Error { problem, code } => {
                let facts = problem.facts();
                write!(f, "{}/{}", routes::ERROR, facts.slug)?;
                let code = code.as_ref().map(|code| format!("{}{code}", routes::CODE));
                let pairs = facts.flag.map(str::to_owned).into_iter().chain(code);
                for (index, pair) in pairs.enumerate() {
                    write!(f, "{}{pair}", if index == 0 { '?' } else { '&' })?;
                }
                Ok(())
            }
            Self::Link(query) => {
                write!(f, "{}?", routes::ENTRY)?;
                // As browsers do.
                for byte in query.bytes() {
                    if byte.is_ascii_graphic() {
                        f.write_char(char::from(byte))?;
                    } else {
                        write!(f, "%{byte:02X}")?;
                    }
                }
                Ok(())
            }
        }
    }
}

impl From<Page> for Destination {
    fn from(page: Page) -> Self {
        Self::Page {
            page,
            has_notice: false,
        }
    }
}

impl From<Problem> for Destination {
    fn from(problem: Problem) -> Self {
        Self::Error {
            problem,
            code: None,
        }
    }
}

impl Serialize for Destination {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Destination {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let path = String::deserialize(deserializer)?;
        Self::from_path(&path).ok_or_else(|| serde::de::Error::custom("not a path of the product"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn link(query: &str) -> Destination {
        Destination::Link(query.into())
    }

    #[test]
    fn is_written_as_a_path_and_read_back() {
        let code = "0123456789ab";
        for (destination, path) in [
            (Page::Accounts.into(), "/integration/accounts"),
            (
                Destination::from(Page::Widget).with_notice(),
                "/integration/widget?aviso=sem-resposta",
            ),
            (Problem::TokenExpired.into(), "/error/token-expired"),
            (Problem::Outage.into(), "/error/token-invalid?falha=servico"),
            (
                Destination::from(Problem::TokenInvalid).with_support_code(code),
                "/error/token-invalid?codigo=0123456789ab",
            ),
            (
                Destination::from(Problem::Outage).with_support_code(code),
                "/error/token-invalid?falha=servico&codigo=0123456789ab",
            ),
            (
                Destination::from(Page::Accounts).with_support_code(code),
                "/integration/accounts",
            ),
            (link("token=a&b"), "/?token=a&b"),
            (
                link("token=a").with_notice(),
                "/?token=a&aviso=sem-resposta",
            ),
            (
                link("token=a&aviso=sem-resposta").with_notice(),
                "/?token=a&aviso=sem-resposta",
            ),
        ] {
            let json = serde_json::to_value(&destination).unwrap();
            assert_eq!(json, path);
            let read: Destination = serde_json::from_value(json).unwrap();
            assert_eq!(read, destination);
        }
        assert!(serde_json::from_str::<Destination>("\"https://example.com/\"").is_err());
    }

    #[test]
    fn debug_output_omits_token_of_link() {
        assert_eq!(format!("{:?}", link("token=a")), "Link(…)");
    }

    proptest! {
        #[test]
        fn writes_links_as_visible_ascii(query in "\\PC{0,40}|[!-~]{0,60}|[\\x00-\\x7f]{0,20}") {
            let path = link(&query).with_notice().to_string();
            prop_assert!(path.bytes().all(|byte| byte.is_ascii_graphic()));
            let is_plain = query.bytes().all(|byte| byte.is_ascii_graphic());
            prop_assert_eq!(path.starts_with(&format!("/?{query}")), is_plain);
        }
    }
}
