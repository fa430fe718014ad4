//! The sessions in a request's cookies: none, one, or several, of which none is trusted.
//!
//! A browser stores one `__Host-` cookie of ours. If two different sessions arrive, somebody else has set one of them
//! (through an old or vulnerable browser, or a proxy), and the server cannot know which. Accepting either could show a
//! person somebody else's consent; deleting our cookie would leave only the other one. So neither counts, until one of
//! them has expired.

use super::Session;

/// The sessions in a request's cookies.
#[derive(Debug, Clone)]
pub enum CookieSessions {
    None,
    One(Box<Session>),
    /// Different sessions at once.
    Several,
}

impl CookieSessions {
    /// Combines all sessions of a request.
    pub fn of(sessions: impl Iterator<Item = Session>) -> Self {
        sessions.fold(Self::None, Self::add)
    }

    /// Adds a session. Of copies of the same session, the last used one counts.
    fn add(self, other: Session) -> Self {
        match self {
            Self::None => Self::One(Box::new(other)),
            Self::One(one) if one.id != other.id || one.token != other.token => Self::Several,
            Self::One(one) if one.seen_at >= other.seen_at => Self::One(one),
            Self::One(_) => Self::One(Box::new(other)),
            Self::Several => Self::Several,
        }
    }

    /// The session, if there is exactly one.
    pub fn one(self) -> Option<Session> {
        match self {
            Self::One(session) => Some(*session),
            Self::None | Self::Several => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use vincula_domain::token::LinkToken;

    use super::*;
    use crate::session::{SessionId, client::tests::client};

    fn session(id: u128, token: &str, seen_at: u64) -> Session {
        Session::new(SessionId::of(id), LinkToken::parse(token).unwrap(), client("12ABC34501DE35", "", ""), seen_at)
    }

    fn of(sessions: &[Session]) -> CookieSessions {
        CookieSessions::of(sessions.iter().cloned())
    }

    #[test]
    fn different_sessions_are_none() {
        let (mine, theirs) = (session(1, "mine", 1_000), session(2, "theirs", 2_000));
        for several in [
            &[mine.clone(), theirs.clone()][..],
            &[theirs.clone(), mine.clone()],
            &[mine.clone(), mine.clone(), theirs.clone()],
            &[mine.clone(), theirs.clone(), mine.clone()],
            // The same id with another link, and the same link with another id.
            &[mine.clone(), session(1, "theirs", 1_000)],
            &[mine.clone(), session(2, "mine", 1_000)],
        ] {
            assert!(matches!(of(several), CookieSessions::Several), "{several:?}");
            assert!(of(several).one().is_none());
        }
        assert!(matches!(of(&[]), CookieSessions::None));
    }

    #[test]
    fn the_same_session_twice_is_one_and_its_last_use_counts() {
        let used = |times: &[u64]| {
            let sessions: Vec<_> = times.iter().map(|time| session(1, "mine", *time)).collect();
            of(&sessions).one().unwrap().seen_at
        };
        assert_eq!(used(&[1_000]), 1_000);
        assert_eq!(used(&[1_000, 1_060]), 1_060);
        assert_eq!(used(&[1_060, 1_000, 1_000]), 1_060);
    }
}
