//! What anybody may answer, read in every way: for fuzzers and property tests.

use vincula_domain::wire::{Account, BankOption};

use crate::{
    Call, SessionData,
    envelope::{ErrorEnvelope, MOST_ROWS, Unexpected, confirmed, data, rows},
    failure::classify,
    fields::{Field, Of},
};

/// Reads an answer as a refusal and as all that a 2xx answer may hold. It only must not panic.
pub fn read_in_every_way(body: &[u8]) {
    let envelope = ErrorEnvelope::read(body);
    let _ = (envelope.status(), envelope.says_failed(), envelope.message(), envelope.kinds().count());
    for call in Call::ALL {
        let _ = classify(call, 400, &envelope);
    }
    let _ = (data::<Of<SessionData>>(body).is_ok(), data::<Field>(body).is_ok(), confirmed(body).is_ok());
    for rows in [rows::<Account>(body).map(|rows| rows.len()), rows::<BankOption>(body).map(|rows| rows.len())] {
        assert!(rows.is_err() || confirmed(body) != Err(Unexpected::NotJson), "what holds rows is JSON");
        assert!(rows.is_ok_and(|rows| rows <= MOST_ROWS) || rows.is_err());
    }
}
