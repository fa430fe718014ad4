//! The problems that have an error screen: the screen's address, and the way on that it offers.
//! The texts are in `words.rs`.

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::routes::{self, has_flag};

/// What an error screen is about. The name in kebab case is the `:type` in `/error/:type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Problem {
    LinkNotExists,
    LinkNotUpdated,
    TokenNotExists,
    TokenExpired,
    /// Also stands for any unknown type in the address.
    TokenInvalid,
    TokenNotFound,
    /// Not in the specification: the link was validated, but the browser did not store the session
    /// cookie.
    CookiesBlocked,
}

/// What the address of an error screen adds to its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, VariantArray)]
pub enum Detail {
    /// The server or the widget API has failed, so that the link is not to blame.
    Outage,
    /// Everything was cancelled, for example on another device.
    Cancelled,
    /// The bank has sent the client to a browser without the session.
    Returned,
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

    /// The way on in a session, if one can succeed. With an unknown or expired token no call can
    /// succeed, and a missing item cannot be renewed.
    pub fn way_on(self) -> Option<Way> {
        match self {
            Self::LinkNotExists | Self::LinkNotUpdated => Some(Way::Accounts),
            Self::TokenInvalid | Self::TokenNotFound => Some(Way::Again),
            Self::TokenNotExists | Self::TokenExpired | Self::CookiesBlocked => None,
        }
    }

    /// Whether the widget API has refused the link itself.
    pub fn is_of_link(self) -> bool {
        matches!(
            self,
            Self::TokenInvalid | Self::TokenNotExists | Self::TokenExpired
        )
    }

    /// The `:type` in `/error/:type`.
    pub fn slug(self) -> &'static str {
        self.into()
    }

    /// The problem of a path `/error/:type`. An unknown type is `TokenInvalid`.
    pub fn from_path(path: &str) -> Self {
        let slug = path.trim_end_matches('/').rsplit('/').next();
        slug.and_then(|slug| slug.parse().ok())
            .unwrap_or(Self::TokenInvalid)
    }
}

impl Detail {
    /// The detail in the raw query of an error screen.
    pub fn from_query(problem: Problem, query: &str) -> Option<Self> {
        let mut all = Self::VARIANTS.iter().copied();
        all.find(|detail| detail.problem() == problem && has_flag(query, detail.flag()))
    }

    /// The pair in the query.
    pub fn flag(self) -> &'static str {
        match self {
            Self::Outage => routes::OUTAGE,
            Self::Cancelled => routes::CANCELLED,
            Self::Returned => routes::RETURNED,
        }
    }

    /// The type of the error screen.
    pub fn problem(self) -> Problem {
        match self {
            Self::Outage | Self::Cancelled => Problem::TokenInvalid,
            Self::Returned => Problem::TokenNotFound,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_path::PagePath;

    #[test]
    fn finds_each_problem_at_its_address() {
        for &problem in Problem::ALL {
            assert_eq!(
                Problem::from_path(PagePath::from(problem).as_str()),
                problem
            );
        }
        assert_eq!(Problem::from_path("/error/whatever"), Problem::TokenInvalid);
    }

    #[test]
    fn finds_each_detail_at_its_address() {
        for &detail in Detail::VARIANTS {
            let path = PagePath::from(detail);
            let (path, query) = path.as_str().split_once('?').unwrap();
            assert_eq!(
                Detail::from_query(Problem::from_path(path), query),
                Some(detail)
            );
            assert_eq!(Detail::from_query(Problem::TokenExpired, query), None);
        }
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
            assert_eq!(PagePath::from(problem).as_str(), path);
            assert_eq!(Problem::from_path(path), problem);
        }
    }
}
