//! Parses the body of a response in every way, for the fuzzer and the property tests.

use super::{
    Call, SessionData, Unexpected,
    envelope::{ErrorEnvelope, MAX_ROWS, confirmed, data, record, rows},
    failure::classify,
    lenient::Scalar,
    responses::{AccountRow, BankRow},
};

/// As a failed response and as every kind of 2xx response. The parsers may reject it, but must not panic.
pub fn parse_all(body: &[u8]) {
    let envelope = ErrorEnvelope::read(body);
    let _ = (envelope.status(), envelope.reports_failure(), envelope.message(), envelope.kinds().count());
    for call in Call::ALL {
        let _ = classify(call, 400, &envelope);
    }
    let _ = (record::<SessionData>(body).is_ok(), data::<Scalar>(body).is_ok(), confirmed(body).is_ok());
    for rows in [rows::<AccountRow>(body).map(|rows| rows.len()), rows::<BankRow>(body).map(|rows| rows.len())] {
        assert!(rows.is_err() || confirmed(body) != Err(Unexpected::NotJson), "what holds rows is JSON");
        assert!(rows.is_ok_and(|rows| rows <= MAX_ROWS) || rows.is_err());
    }
}
