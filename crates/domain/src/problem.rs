//! The problems that end a visit, each with an error screen: its address, and what it offers. Its
//! texts are in `words.rs`.

use strum::{EnumCount, EnumString, IntoStaticStr, VariantArray};

/// The kinds of error screen. The name in kebab case is the `:type` in `/error/:type`.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, EnumCount, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Problem {
    LinkNotExists,
    LinkNotUpdated,
    TokenNotExists,
    TokenExpired,
    /// Also stands for any type that the spec does not name.
    TokenInvalid,
    TokenNotFound,
    /// Not in the spec: the link was validated, but the browser did not store the session cookie.
    CookiesBlocked,
}

/// A way on from an error screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// To the step of the session.
    Again,
    Accounts,
}

impl Problem {
    pub const ALL: [Self; Self::COUNT] = *Self::VARIANTS.first_chunk().expect("all of them");

    /// Whether the problem is the token. Its screen adds what became of the accounts, and a
    /// cancellation if there was one.
    pub fn blames_token(self) -> bool {
        matches!(
            self,
            Self::TokenNotExists | Self::TokenExpired | Self::TokenInvalid | Self::TokenNotFound
        )
    }

    /// The ways on that can succeed, the main one first. With an invalid token no call can, and an
    /// item that is gone cannot be renewed.
    pub fn ways_on(self) -> &'static [Way] {
        match self {
            Self::LinkNotExists => &[Way::Accounts],
            Self::LinkNotUpdated => &[Way::Accounts, Way::Again],
            Self::TokenInvalid | Self::TokenNotFound => &[Way::Again, Way::Accounts],
            Self::TokenNotExists | Self::TokenExpired | Self::CookiesBlocked => &[],
        }
    }

    /// The `:type` in `/error/:type`.
    pub fn slug(self) -> &'static str {
        self.into()
    }

    /// The problem of the path `/error/:type`; `TokenInvalid` for every other.
    pub fn at(path: &str) -> Self {
        let slug = path.trim_end_matches('/').rsplit('/').next();
        slug.and_then(|slug| slug.parse().ok())
            .unwrap_or(Self::TokenInvalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::destination::Destination;

    #[test]
    fn slugs_lead_back_to_their_problem() {
        for problem in Problem::ALL {
            assert_eq!(
                Problem::at(&Destination::from(problem).to_string()),
                problem
            );
        }
        assert_eq!(Problem::at("/error/whatever"), Problem::TokenInvalid);
    }

    #[test]
    fn the_types_in_the_address_are_those_of_the_specification() {
        for (problem, path) in [
            (Problem::TokenNotFound, "/error/token-not-found"),
            (Problem::TokenNotExists, "/error/token-not-exists"),
            (Problem::TokenExpired, "/error/token-expired"),
            (Problem::TokenInvalid, "/error/token-invalid"),
            (Problem::LinkNotExists, "/error/link-not-exists"),
            (Problem::LinkNotUpdated, "/error/link-not-updated"),
        ] {
            assert_eq!(Destination::from(problem).to_string(), path);
            assert_eq!(Problem::at(path), problem);
        }
    }
}
