//! The error screens: one for each kind of problem that ends a visit (spec §2, §8).

#[cfg(test)]
use ts_rs::TS;

/// The kinds of error screen (spec §2, "Error types"), and three that the spec does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(test, derive(TS), ts(rename_all = "kebab-case"))]
pub enum Problem {
    TokenNotFound,
    TokenNotExists,
    TokenExpired,
    /// Also stands for any type that the spec does not name.
    TokenInvalid,
    LinkNotExists,
    LinkNotUpdated,
    /// Not in the spec: the link was validated, but the browser did not store the session cookie.
    CookiesBlocked,
    /// Not in the spec: the client has cancelled everything, and the link is refused since.
    Cancelled,
    /// Not in the spec: the browser sent the cookies of different sessions at once.
    TwoSessions,
}

impl Problem {
    pub const ALL: [Self; 9] = [
        Self::TokenNotFound,
        Self::TokenNotExists,
        Self::TokenExpired,
        Self::TokenInvalid,
        Self::LinkNotExists,
        Self::LinkNotUpdated,
        Self::CookiesBlocked,
        Self::Cancelled,
        Self::TwoSessions,
    ];

    /// The `:type` in `/error/:type`.
    pub fn slug(self) -> &'static str {
        match self {
            Self::TokenNotFound => "token-not-found",
            Self::TokenNotExists => "token-not-exists",
            Self::TokenExpired => "token-expired",
            Self::TokenInvalid => "token-invalid",
            Self::LinkNotExists => "link-not-exists",
            Self::LinkNotUpdated => "link-not-updated",
            Self::CookiesBlocked => "cookies-blocked",
            Self::Cancelled => "cancelled",
            Self::TwoSessions => "two-sessions",
        }
    }

    /// Whether the problem is the token. Its screen adds what became of the accounts.
    pub fn is_of_token(self) -> bool {
        match self {
            Self::TokenNotFound | Self::TokenNotExists | Self::TokenExpired | Self::TokenInvalid => true,
            Self::LinkNotExists | Self::LinkNotUpdated | Self::CookiesBlocked | Self::Cancelled | Self::TwoSessions => {
                false
            }
        }
    }

    /// The problem of `/error/:type`; `TokenInvalid` for an unknown type.
    pub fn of_slug(slug: &str) -> Self {
        Self::ALL.into_iter().find(|problem| problem.slug() == slug).unwrap_or(Self::TokenInvalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A problem that is missing in `ALL` would show the screen of `TokenInvalid`.
    #[test]
    fn all_has_every_problem() {
        let slugs = Problem::ALL.map(|problem| format!("\"{}\"", problem.slug()));
        assert_eq!(slugs.join(" | "), Problem::inline(&ts_rs::Config::default()));
    }

    #[test]
    fn slugs_lead_back_to_their_problem() {
        for problem in Problem::ALL {
            assert_eq!(Problem::of_slug(problem.slug()), problem);
        }
        assert_eq!(Problem::of_slug("whatever"), Problem::TokenInvalid);
    }
}
