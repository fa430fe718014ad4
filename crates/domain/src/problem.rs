//! The kinds of problem that end a visit, each with an error screen, in one table: which replies of the
//! widget API mean it, its name in metrics and logs, and what its screen shows. Its texts are in `words.rs`.

use strum::{EnumCount, EnumString, IntoStaticStr, VariantArray};

/// The kinds of error screen. Those that a reply of the widget API means come first: the first that applies counts. The
/// name in kebab case is the `:type` in `/error/:type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EnumCount, EnumString, IntoStaticStr, VariantArray)]
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
    /// Not in the spec: the client has cancelled everything, and the link is refused since.
    Cancelled,
}

/// A way on from an error screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// To the step of the session.
    Again,
    Accounts,
}

/// A row of the table.
struct Row {
    /// How the widget API reports it; `None` if only the server itself finds it.
    refusal: Option<Refusal>,
    /// Whether the token is to blame. The screen then adds what became of the accounts.
    blames_token: bool,
    /// The ways on that can succeed, the main one first. With an invalid token no call can, and an item that is gone
    /// cannot be renewed.
    ways_on: &'static [Way],
}

struct Refusal {
    applies: fn(&FailedReply) -> bool,
    /// Its name in metrics.
    outcome: &'static str,
    /// In logs.
    meaning: &'static str,
}

impl Problem {
    pub const ALL: [Self; Self::COUNT] = *Self::VARIANTS.first_chunk().expect("all of them");

    fn row(self) -> Row {
        use Way::{Accounts, Again};
        let refusal = |outcome, meaning, applies| Some(Refusal { applies, outcome, meaning });
        match self {
            Self::LinkNotExists => Row {
                refusal: refusal("item_not_found", "an unknown item", |reply| {
                    reply.concerns_item
                        && reply.kinds.iter().any(|kind| alphanumeric_key(kind).contains("itemnotfound"))
                }),
                blames_token: false,
                ways_on: &[Accounts],
            },
            Self::LinkNotUpdated => Row {
                refusal: refusal("unchanged", "nothing to update", |reply| {
                    // A bare 304 cannot have a body.
                    let is_unchanged = reply.http_status == 304 || matches!(reply.status, Some(304 | 409));
                    reply.is_update && (is_unchanged || reply.message.is_some_and(mentions_no_change))
                }),
                blames_token: false,
                ways_on: &[Accounts, Again],
            },
            Self::TokenNotExists => Row {
                refusal: refusal("token_not_found", "an unknown token", |reply| reply.status == Some(404)),
                blames_token: true,
                ways_on: &[],
            },
            Self::TokenExpired => Row {
                refusal: refusal("token_expired", "an expired token", |reply| {
                    reply.message.is_some_and(|message| message.trim() == "Expired token")
                }),
                blames_token: true,
                ways_on: &[],
            },
            Self::TokenInvalid => Row {
                refusal: refusal("refused", "an invalid token", |_| true),
                blames_token: true,
                ways_on: &[Again, Accounts],
            },
            Self::TokenNotFound => Row { refusal: None, blames_token: true, ways_on: &[Again, Accounts] },
            Self::CookiesBlocked | Self::Cancelled => Row { refusal: None, blames_token: false, ways_on: &[] },
        }
    }

    /// The problem that a failed reply means.
    pub fn from_reply(reply: &FailedReply) -> Self {
        let applies = |problem: &Self| problem.row().refusal.is_some_and(|refusal| (refusal.applies)(reply));
        Self::ALL.into_iter().find(applies).unwrap_or(Self::TokenInvalid)
    }

    /// Its name in metrics, and its meaning for logs, if the widget API reports it.
    pub fn refusal(self) -> Option<(&'static str, &'static str)> {
        self.row().refusal.map(|refusal| (refusal.outcome, refusal.meaning))
    }

    /// Whether the problem is the token. Its screen adds what became of the accounts.
    pub fn blames_token(self) -> bool {
        self.row().blames_token
    }

    pub fn ways_on(self) -> &'static [Way] {
        self.row().ways_on
    }

    /// The `:type` in `/error/:type`.
    pub fn slug(self) -> &'static str {
        self.into()
    }

    /// The problem of `/error/:type`; `TokenInvalid` for an unknown type.
    pub fn from_slug(slug: &str) -> Self {
        slug.parse().unwrap_or(Self::TokenInvalid)
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
    let words = normalized_words(message);
    let padded = format!(" {words} ");
    words == "link not updated" || [" no changes ", " sem alteracoes "].iter().any(|said| padded.contains(said))
}

/// The ASCII letters and digits in lower case, so that `ITEM_NOT_FOUND`, `Item not found` and `itemNotFound` are equal.
fn alphanumeric_key(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// The words in lower case without accents, separated by one space.
fn normalized_words(text: &str) -> String {
    let letters: String = text.to_lowercase().chars().map(without_accent).collect();
    let words: Vec<&str> = letters.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

fn without_accent(c: char) -> char {
    match c {
        'á' | 'à' | 'â' | 'ã' => 'a',
        'é' | 'ê' => 'e',
        'í' => 'i',
        'ó' | 'ô' | 'õ' => 'o',
        'ú' => 'u',
        'ç' => 'c',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_lead_back_to_their_problem() {
        for problem in Problem::ALL {
            assert_eq!(Problem::from_slug(problem.slug()), problem);
        }
        assert_eq!(Problem::TokenNotExists.slug(), "token-not-exists");
        assert_eq!(Problem::from_slug("whatever"), Problem::TokenInvalid);
    }

    /// The calls that concern an item, and every wording, are in the tests of the widget API's client.
    #[test]
    fn the_first_problem_that_applies_counts() {
        for (status, message, problem) in [
            (Some(404), "Expired token", Problem::TokenNotExists),
            (Some(401), " Expired token ", Problem::TokenExpired),
            (Some(401), "expired token", Problem::TokenInvalid),
            (Some(409), "no changes", Problem::TokenInvalid),
            (Some(403), "item not found", Problem::TokenInvalid),
            (None, "", Problem::TokenInvalid),
        ] {
            let reply = FailedReply { status, message: Some(message), kinds: vec![message], ..FailedReply::default() };
            assert_eq!(Problem::from_reply(&reply), problem, "{reply:?}");
        }
    }
}
