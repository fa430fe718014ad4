//! Times as people in Brazil write them, in the time of Brasília.

use time::{OffsetDateTime, UtcOffset};

use crate::words;

/// Brasília is three hours behind UTC all year: Brazil has had no summer time since 2019.
const HOURS_FROM_UTC: i8 = -3;

/// "22/11/2026".
pub fn day(unix_secs: u64) -> String {
    let date = local(unix_secs).date();
    let month = u8::from(date.month());
    format!("{:02}/{month:02}/{:04}", date.day(), date.year())
}

/// "16h40".
pub fn time(unix_secs: u64) -> String {
    let time = local(unix_secs);
    format!("{:02}h{:02}", time.hour(), time.minute())
}

/// "22/11/2026 às 16h40, horário de Brasília".
pub fn day_and_time(unix_secs: u64) -> String {
    words::day_and_time(&day(unix_secs), &time(unix_secs))
}

fn local(unix_secs: u64) -> OffsetDateTime {
    let utc = i64::try_from(unix_secs)
        .ok()
        .and_then(|secs| OffsetDateTime::from_unix_timestamp(secs).ok());
    let offset = UtcOffset::from_hms(HOURS_FROM_UTC, 0, 0).expect("three hours are an offset");
    utc.unwrap_or(OffsetDateTime::UNIX_EPOCH).to_offset(offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn midnight_in_greenwich_is_the_evening_before_in_brasilia() {
        assert_eq!(
            day_and_time(1_795_305_600),
            "21/11/2026 às 21h00, horário de Brasília"
        );
        assert_eq!(day(u64::MAX), "31/12/1969", "no such time");
    }
}
