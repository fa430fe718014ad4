//! How long a busy upstream asks to wait.

use std::time::{Duration, SystemTime};

use httpdate::parse_http_date;
use reqwest::header::{HeaderMap, RETRY_AFTER};

/// The longest wait that is kept. A client who waits for an account looks at the page for about as
/// long.
const MAX_RETRY_AFTER: Duration = Duration::from_mins(5);

/// The wait that `Retry-After` states, in seconds or as a date: at most [`MAX_RETRY_AFTER`].
pub(super) fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let wait = match text.parse::<f64>() {
        Ok(seconds) if seconds >= MAX_RETRY_AFTER.as_secs_f64() => MAX_RETRY_AFTER,
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok()?,
        Err(_) => {
            let date = parse_http_date(text).ok()?;
            date.duration_since(now).unwrap_or_default()
        }
    };
    Some(wait.min(MAX_RETRY_AFTER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_seconds_and_dates_up_to_a_limit() {
        let now = parse_http_date("Thu, 26 Nov 2026 12:00:00 GMT").unwrap();
        for (text, seconds) in [
            ("20", Some(20)),
            (" 20 ", Some(20)),
            ("0", Some(0)),
            ("20.0", Some(20)),
            ("300", Some(300)),
            ("301", Some(300)),
            ("99999999999999999999999", Some(300)),
            ("Thu, 26 Nov 2026 12:00:45 GMT", Some(45)),
            ("Thursday, 26-Nov-26 12:00:45 GMT", Some(45)),
            ("Thu, 26 Nov 2026 11:00:00 GMT", Some(0)),
            ("Fri, 27 Nov 2026 12:00:00 GMT", Some(300)),
            ("", None),
            ("-1", None),
            ("NaN", None),
            ("soon", None),
            ("2026-11-26T12:00:45Z", None),
        ] {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, text.parse().unwrap())]);
            let wait = seconds.map(Duration::from_secs);
            assert_eq!(retry_after(&headers, now), wait, "{text:?}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), now), None);
    }
}
