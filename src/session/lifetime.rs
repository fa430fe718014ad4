//! How long a session lives, and when its idle time is renewed.

use std::time::Duration;

use super::Session;

/// Shortest time between two renewals of the idle time, in seconds. Each renewal seals a cookie,
/// and a key may seal only a limited number.
const REFRESH_SECS: u64 = 60;

/// A poll renews the idle time only after this part of it (a quarter: half an hour of two hours),
/// because polls are frequent.
const POLL_REFRESH_PART: u64 = 4;

/// How long a session lives.
#[derive(Debug, Clone, Copy)]
pub struct Lifetime {
    /// Time after the last use.
    pub idle: Duration,
    /// Time after its link was last opened, however much it is used. A stolen cookie works for no
    /// longer.
    pub longest: Duration,
}

impl Lifetime {
    /// Whether the session has expired.
    pub fn is_over(self, session: &Session, now: u64) -> bool {
        since(session.seen_at, now) >= self.idle
            || since(session.link_opened_at, now) >= self.longest
    }

    /// The longest that the session can live if it is used, which is how long a browser keeps its
    /// cookie.
    pub fn longest_left(self, session: &Session, now: u64) -> Duration {
        self.longest
            .saturating_sub(since(session.link_opened_at, now))
    }

    /// How long the session lives if it is used now and never again, which is how long a browser
    /// keeps the time of this use.
    pub fn left_unused(self, session: &Session, now: u64) -> Duration {
        self.idle.min(self.longest_left(session, now))
    }

    /// Whether the idle time is due to be renewed.
    pub fn is_stale(self, session: &Session, now: u64) -> bool {
        since(session.seen_at, now).as_secs() >= REFRESH_SECS
    }

    /// Whether even a poll has to renew the idle time.
    pub fn is_stale_for_polls(self, session: &Session, now: u64) -> bool {
        since(session.seen_at, now).as_secs()
            >= (self.idle.as_secs() / POLL_REFRESH_PART).max(REFRESH_SECS)
    }
}

/// Zero if another machine's clock was ahead.
fn since(then: u64, now: u64) -> Duration {
    Duration::from_secs(now.saturating_sub(then))
}

#[cfg(test)]
mod tests {
    use vincula_domain::token::LinkToken;

    use super::*;
    use crate::session::client::tests::client;

    const LIFE: Lifetime = Lifetime {
        idle: Duration::from_secs(7_200),
        longest: Duration::from_secs(43_200),
    };

    /// A session validated at 1,000 and used last at `seen_at`.
    fn used_at(seen_at: u64) -> Session {
        let (token, client) = (
            LinkToken::parse("t").unwrap(),
            client("12ABC34501DE35", "", ""),
        );
        Session {
            seen_at,
            ..Session::new(String::new(), token, client, 1_000)
        }
    }

    #[test]
    fn a_session_ends_by_idleness_or_by_age_whichever_comes_first() {
        for (seen_at, now, over) in [
            (1_000, 1_000, false),
            (1_000, 8_199, false),
            (1_000, 8_200, true),
            (1_000, 99_999, true),
            (8_000, 15_199, false),
            (44_199, 44_199, false),
            (44_199, 44_200, true),
            (44_200, 44_200, true),
            // Another machine's clock is ahead.
            (1_060, 990, false),
        ] {
            assert_eq!(
                LIFE.is_over(&used_at(seen_at), now),
                over,
                "used at {seen_at}, now {now}"
            );
        }
    }

    #[test]
    fn browsers_keep_it_no_longer_than_it_lives() {
        for (now, longest, unused) in [
            (1_000, 43_200, 7_200),
            (37_000, 7_200, 7_200),
            (37_001, 7_199, 7_199),
            (44_199, 1, 1),
            (44_200, 0, 0),
            (99_999, 0, 0),
        ] {
            let session = used_at(now);
            let kept = (
                LIFE.longest_left(&session, now).as_secs(),
                LIFE.left_unused(&session, now).as_secs(),
            );
            assert_eq!(kept, (longest, unused), "used at {now}");
        }
    }

    #[test]
    fn the_idle_time_is_renewed_once_a_minute() {
        assert!(!LIFE.is_stale(&used_at(1_000), 1_059));
        assert!(LIFE.is_stale(&used_at(1_000), 1_060));
    }

    #[test]
    fn polls_renew_it_in_its_last_three_quarters() {
        assert!(!LIFE.is_stale_for_polls(&used_at(1_000), 1_000 + 1_799));
        assert!(LIFE.is_stale_for_polls(&used_at(1_000), 1_000 + 1_800));
    }
}
