//! The checks of `validate-token`.

use vincula_domain::token::LinkToken;
use vincula_upstream::{Call, Caller, NoValidate, SessionData};

use super::{
    fields,
    refusals::Refusal,
    report::{Check, Level, Row},
    visit::{Tried, Visit, unknown_token},
};

const CALL: &str = "validate-token";

/// Tries the link, links that do not work, and the link again. Returns its session data.
pub async fn check(visit: &mut Visit, expired: Option<&LinkToken>) -> Option<SessionData> {
    let token = visit.token.clone();
    let upstream = visit.upstream.clone();
    let first = visit.make(Call::ValidateToken, upstream.validate_token(&Caller::default(), &token, None)).await;
    let is_good = visit.expect_success(&first, "the link's token");
    fields::session(visit, &first);
    let tried =
        visit.make(Call::ValidateToken, upstream.validate_token(&Caller::default(), &unknown_token(), None)).await;
    visit.expect_refusal(&tried, "unknown-token", "a token that does not exist", Refusal::Unknown);
    match expired {
        Some(expired) => {
            let tried =
                visit.make(Call::ValidateToken, upstream.validate_token(&Caller::default(), expired, None)).await;
            visit.expect_refusal(&tried, "expired-token", "the expired token", Refusal::Expired);
        }
        None => visit.skip(CALL, "an expired token", "--expired-token is not given"),
    }
    if is_good {
        let caller = visit.caller.clone();
        let again = visit.make(Call::ValidateToken, upstream.validate_token(&caller, &token, None)).await;
        repeated(visit, &first, &again, "repeat", "the same token again");
        let caller = visit.caller.clone();
        let back = upstream.validate_token(&caller, &token, Some(NoValidate::OfSuccess));
        let back = visit.make(Call::ValidateToken, back).await;
        repeated(visit, &first, &back, "of-success", "a return from the bank");
    }
    first.outcome.ok().map(|answer| answer.data)
}

/// Whether a repetition gives the same session data.
fn repeated(
    visit: &mut Visit,
    first: &Tried<SessionData>,
    again: &Tried<SessionData>,
    name: &'static str,
    tried: &'static str,
) {
    let expected = "the same session data: a token is not used up";
    let check = Check { call: CALL, name, tried, expected, contract: Row::REPETITION };
    let (level, seen) = match (&first.outcome, &again.outcome) {
        (Ok(first), Ok(again)) if first.data == again.data => (Level::Ok, "the same data".into()),
        (_, Ok(_)) => (Level::Warning, "other data".into()),
        (_, Err(error)) => (Level::Failure, error.to_string()),
    };
    visit.add(check, level, seen);
}

/// Whether the link still works at the end, since the screen offers to link another account.
pub async fn check_still_works(visit: &mut Visit) {
    let (upstream, token, caller) = (visit.upstream.clone(), visit.token.clone(), visit.caller.clone());
    let tried = visit.make(Call::ValidateToken, upstream.validate_token(&caller, &token, None)).await;
    let (level, seen) = match &tried.outcome {
        Ok(_) => (Level::Ok, "it works".to_owned()),
        Err(error) => (Level::Failure, error.to_string()),
    };
    let expected = "it works: the client may link another account";
    let check = Check {
        call: "success",
        name: "after",
        tried: "the link afterwards",
        expected,
        contract: Row("8. POST /success"),
    };
    visit.add(check, level, seen);
}
