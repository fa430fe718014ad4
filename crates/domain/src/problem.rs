//! The kinds of problem that end a visit, each with an error screen: which replies of the widget API mean it, its name in
//! metrics and logs, and what its screen offers. Its texts are in `words.rs`.

use strum::{EnumCount, EnumString, IntoStaticStr, VariantArray};

use crate::plain_text::plain_text;

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

    /// The problem that a failed reply means: the first that applies.
    pub fn from_reply(reply: &FailedReply) -> Self {
        let message = reply.message.unwrap_or_default();
        let names_unknown_item = |kind: &&str| alphanumeric_key(kind).contains("itemnotfound");
        // A bare 304 cannot have a body.
        let is_unchanged = reply.http_status == 304 || matches!(reply.status, Some(304 | 409));
        if reply.concerns_item && reply.kinds.iter().any(names_unknown_item) {
            Self::LinkNotExists
        } else if reply.is_update && (is_unchanged || mentions_no_change(message)) {
            Self::LinkNotUpdated
        } else if reply.status == Some(404) {
            Self::TokenNotExists
        } else if message.trim() == "Expired token" {
            Self::TokenExpired
        } else {
            Self::TokenInvalid
        }
    }

    /// Its name in metrics, and its meaning for logs, if the widget API reports it and not the server itself.
    pub fn refusal(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::LinkNotExists => Some(("item_not_found", "an unknown item")),
            Self::LinkNotUpdated => Some(("unchanged", "nothing to update")),
            Self::TokenNotExists => Some(("token_not_found", "an unknown token")),
            Self::TokenExpired => Some(("token_expired", "an expired token")),
            Self::TokenInvalid => Some(("refused", "an invalid token")),
            Self::TokenNotFound | Self::CookiesBlocked => None,
        }
    }

    /// Whether the problem is the token. Its screen adds what became of the accounts, and a cancellation if there was one.
    pub fn blames_token(self) -> bool {
        matches!(
            self,
            Self::TokenNotExists | Self::TokenExpired | Self::TokenInvalid | Self::TokenNotFound
        )
    }

    /// The ways on that can succeed, the main one first. With an invalid token no call can, and an item that is gone
    /// cannot be renewed.
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

/// What a failed reply of the widget API states. Apart from the bare 304, the HTTP status means nothing: the spec goes by
/// `meta`.
#[derive(Debug, Clone, Default)]
pub struct FailedReply<'a> {
    /// The call concerns an item at the bank-data provider: connect-token, or the link update.
    pub concerns_item: bool,
    /// The call is the link update.
    pub is_update: bool,
    pub http_status: u16,
    /// `meta.status`.
    pub status: Option<u16>,
    /// `meta.message`.
    pub message: Option<&'a str>,
    /// All strings that may name the provider's kind of error.
    pub kinds: Vec<&'a str>,
}

/// Whether a message names a link update without changes: as the spec does, as agreed with the widget API
/// (docs/widget-api.openapi.yaml), or in other words anywhere in it. Of the spec's name only the whole message counts: an
/// update may fail for other reasons, too.
fn mentions_no_change(message: &str) -> bool {
    let plain = plain_text(message);
    let words: Vec<&str> = plain.split_ascii_whitespace().collect();
    let padded = format!(" {} ", words.join(" "));
    words == ["link", "not", "updated"]
        || [" no changes ", " sem alteracoes "]
            .iter()
            .any(|part| padded.contains(part))
}

/// The ASCII letters and digits in lower case, so that `ITEM_NOT_FOUND`, `Item not found` and `itemNotFound` are equal.
fn alphanumeric_key(text: &str) -> String {
    text.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_lead_back_to_their_problem() {
        for problem in Problem::ALL {
            assert_eq!(Problem::at(&crate::routes::error(problem)), problem);
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
            assert_eq!(crate::routes::error(problem), path);
            assert_eq!(Problem::at(path), problem);
        }
    }
}
