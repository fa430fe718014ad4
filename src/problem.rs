//! The problems that have an error screen, and what each screen claims and offers. The texts are in
//! `words.rs`.

use strum::VariantArray;

use crate::routes::{self, has_flag};

/// What an error screen is about.
// `Problem::at` takes the first one that matches, so one with a flag comes before one without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, VariantArray)]
pub enum Problem {
    LinkNotExists,
    LinkNotUpdated,
    TokenNotExists,
    TokenExpired,
    /// The server or the widget API has failed, so that the link is not to blame.
    Outage,
    /// Also stands for any unknown type in the address.
    TokenInvalid,
    /// The link is refused in a session in which everything was cancelled. The session knows it, so it
    /// has the address of `TokenInvalid`.
    Cancelled,
    /// The bank has sent the client to a browser without the session.
    Returned,
    TokenNotFound,
    /// Not in the specification: the link was validated, but the browser did not store the session
    /// cookie.
    CookiesBlocked,
}

/// What the screen of a problem claims and offers, besides its texts.
#[derive(Debug, Clone, Copy)]
pub struct ProblemFacts {
    /// The `:type` in `/error/:type`.
    pub slug: &'static str,
    /// The pair in the query that distinguishes it from other problems of the type.
    pub flag: Option<&'static str>,
    /// The way on in a session, if one can succeed. With an unknown or expired token no call can
    /// succeed, and a missing item cannot be renewed.
    pub way_on: Option<Way>,
    /// Whether support can find the cause of the failure in the logs. The other screens say it.
    pub has_support_code: bool,
}

/// The way on from an error screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// To the step that is due in the session.
    Again,
    Accounts,
}

impl Problem {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn facts(self) -> ProblemFacts {
        let only = |slug| ProblemFacts {
            slug,
            flag: None,
            way_on: None,
            has_support_code: false,
        };
        match self {
            Self::LinkNotExists => ProblemFacts {
                way_on: Some(Way::Accounts),
                has_support_code: true,
                ..only("link-not-exists")
            },
            Self::LinkNotUpdated => ProblemFacts {
                way_on: Some(Way::Accounts),
                ..only("link-not-updated")
            },
            Self::TokenNotExists => ProblemFacts {
                has_support_code: true,
                ..only("token-not-exists")
            },
            Self::TokenExpired => only("token-expired"),
            Self::Outage => ProblemFacts {
                flag: Some(routes::OUTAGE),
                ..Self::TokenInvalid.facts()
            },
            Self::TokenInvalid => ProblemFacts {
                way_on: Some(Way::Again),
                has_support_code: true,
                ..only("token-invalid")
            },
            Self::Cancelled => only("token-invalid"),
            Self::Returned => ProblemFacts {
                flag: Some(routes::RETURNED),
                ..Self::TokenNotFound.facts()
            },
            Self::TokenNotFound => ProblemFacts {
                way_on: Some(Way::Again),
                ..only("token-not-found")
            },
            Self::CookiesBlocked => only("cookies-blocked"),
        }
    }

    /// The problem of a path `/error/:type` with its raw query.
    pub fn at(path: &str, query: &str) -> Self {
        let slug = path.trim_end_matches('/').rsplit('/').next();
        let is_here = |problem: &Self| {
            let facts = problem.facts();
            slug == Some(facts.slug) && facts.flag.is_none_or(|flag| has_flag(query, flag))
        };
        let found = Self::ALL.iter().copied().find(is_here);
        found.unwrap_or(Self::TokenInvalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::destination::Destination;

    #[test]
    fn finds_each_problem_at_its_address() {
        for &problem in Problem::ALL {
            let path = Destination::from(problem).to_string();
            let (path, query) = path.split_once('?').unwrap_or((&path, ""));
            let found = match problem {
                Problem::Cancelled => Problem::TokenInvalid,
                other => other,
            };
            assert_eq!(Problem::at(path, query), found);
        }
        let unknown = Problem::at("/error/whatever", routes::OUTAGE);
        assert_eq!(unknown, Problem::TokenInvalid);
        let expired = Problem::at("/error/token-expired", routes::OUTAGE);
        assert_eq!(expired, Problem::TokenExpired);
    }

    #[test]
    fn addresses_have_types_of_specification() {
        for (problem, path) in [
            (Problem::TokenNotFound, "/error/token-not-found"),
            (Problem::TokenNotExists, "/error/token-not-exists"),
            (Problem::TokenExpired, "/error/token-expired"),
            (Problem::TokenInvalid, "/error/token-invalid"),
            (Problem::LinkNotExists, "/error/link-not-exists"),
            (Problem::LinkNotUpdated, "/error/link-not-updated"),
        ] {
            assert_eq!(Destination::from(problem).to_string(), path);
            assert_eq!(Problem::at(path, ""), problem);
        }
    }
}
