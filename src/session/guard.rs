//! Decides which page a session may view: every route against every session.

use percent_encoding::percent_decode_str;

use crate::{
    destination::Destination,
    problem::Problem,
    routes::{self, Page, has_flag},
    wire::WidgetType,
};

use super::{Session, SuccessCall};

/// What the query of a return from the bank reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Report {
    /// Nothing speaks against a success.
    Success,
    Failure,
    /// A status that is neither known as good nor as bad.
    Unknown,
}

/// Values that report nothing, whatever they are called.
const NOTHING: [&str; 6] = ["", "null", "none", "undefined", "false", "0"];

/// What a value that reports a failure contains.
const FAILED: [&str; 14] = [
    "error",
    "erro",
    "fail",
    "falha",
    "denied",
    "negad",
    "reject",
    "recus",
    "cancel",
    "expired",
    "timeout",
    "timed",
    "abort",
    "not_granted",
];

/// The statuses of a success.
const SUCCEEDED: [&str; 17] = [
    "1",
    "200",
    "active",
    "approved",
    "authorised",
    "authorized",
    "complete",
    "completed",
    "done",
    "finished",
    "ok",
    "partial_success",
    "success",
    "successful",
    "sucesso",
    "true",
    "updated",
];

/// What becomes of a request for a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admission {
    Shown,
    /// The browser is redirected; the page there replaces this one in the history.
    Redirected(Destination),
}

/// Decides on a request for a page. `query` is the raw query string, without `?`.
pub fn admit(page: Page, query: Option<&str>, session: Option<&Session>) -> Admission {
    let query = query.unwrap_or_default();
    match (page, session) {
        (Page::Error | Page::Accessibility, _) => Admission::Shown,
        (Page::Entry, session) => admit_entry(query, session),
        (page, Some(session)) => admit_session(page, query, session),
        (_, None) => redirect_to(Page::Entry),
    }
}

fn admit_entry(query: &str, session: Option<&Session>) -> Admission {
    let has_link = token_in(query).is_some();
    let has_returned = is_return(query) && session.is_some();
    show_if(has_link || has_returned, without_token(query))
}

/// The error screen for a query without a token, in a browser without a session. It has words of its
/// own for a client whose bank has opened another browser than the link.
pub fn without_token(query: &str) -> Destination {
    if is_return(query) && report_of(query) != Report::Failure {
        Problem::Returned.into()
    } else {
        Problem::TokenNotFound.into()
    }
}

fn admit_session(page: Page, query: &str, session: &Session) -> Admission {
    let is_authorized = session.consent.is_some();
    let has_bank = session.visit.bank().is_some();
    match page {
        Page::Entry | Page::Error | Page::Accessibility | Page::Accounts | Page::CancelConfirm => {
            Admission::Shown
        }
        Page::New if home(session) == Page::New => redirect_to(arrival(session)),
        Page::New => redirect_to(home(session)),
        // Whatever was chosen before.
        Page::Widget if is_authorized && has_flag(query, routes::NEW_BANK) => {
            redirect_to(Page::SelectBank)
        }
        Page::Widget => show_if(!is_authorized || has_bank, Page::SelectBank),
        Page::SelectBank => show_if(is_authorized, Page::Widget),
        Page::Update => show_if(session.may_renew(), Page::New),
        Page::Success => show_if(session.is_linked(), home(session)),
        Page::CancelSuccess => show_if(session.is_cancelled(), Page::CancelConfirm),
    }
}

fn show_if(may_show: bool, otherwise: impl Into<Destination>) -> Admission {
    if may_show {
        Admission::Shown
    } else {
        redirect_to(otherwise)
    }
}

fn redirect_to(path: impl Into<Destination>) -> Admission {
    Admission::Redirected(path.into())
}

/// The start page of a session, by its widget type.
pub fn home(session: &Session) -> Page {
    match session.client.widget_type {
        WidgetType::Cancel => Page::CancelConfirm,
        WidgetType::Update if session.may_renew() => Page::Update,
        WidgetType::Update | WidgetType::New => Page::New,
    }
}

/// The page where a session goes on after an error or another detour: what is under way, or else
/// its start.
pub fn resumes_at(session: &Session) -> Page {
    if session.success_call() == SuccessCall::Due {
        Page::Success
    } else if session.visit.bank().is_some() {
        Page::Widget
    } else {
        arrival(session)
    }
}

/// The first page after a validation: the one that the guard shows for [`home`], without a
/// redirect's round trip.
pub fn arrival(session: &Session) -> Page {
    match home(session) {
        Page::New if session.consent.is_some() => Page::Accounts,
        Page::New => Page::Widget,
        start => start,
    }
}

/// The `token` of a link's query string; `None` if absent or empty. An `&` that was escaped for HTML
/// leaves `amp;` before the name.
pub fn token_in(query: &str) -> Option<String> {
    pairs_in(query)
        .map(|(name, value)| (repaired(name), repaired(value)))
        .find(|(name, value)| name.trim_start_matches("amp;") == "token" && !value.is_empty())
        .map(|(_, value)| value)
}

/// A percent-encoded text of a link as the firm wrote it: decoded, also if it was encoded twice, and
/// without what mail programs and chats add: blanks, line breaks and invisible characters. A plus
/// inside it is a plus; at its ends it was a blank.
fn repaired(text: &str) -> String {
    let visible = |text: &str| -> String {
        percent_decode_str(text)
            .filter(u8::is_ascii_graphic)
            .map(char::from)
            .collect()
    };
    visible(&visible(text)).trim_matches('+').to_owned()
}

/// Whether a query string marks a return from the bank: the mark counts anywhere in it.
pub fn is_return(query: &str) -> bool {
    query.contains(routes::OF_SUCCESS)
}

/// What the query of a return reports. Its values decide, because banks and providers agree on no
/// names: what is called an error is one unless its value is nothing, and a status must be known.
pub fn report_of(query: &str) -> Report {
    let mut report = Report::Success;
    for (name, value) in pairs_in(query) {
        let [name, value] = [name, value].map(|text| repaired(text).to_ascii_lowercase());
        if name.ends_with("token") || NOTHING.contains(&&*value) {
            continue;
        }
        let is_error = name.contains("erro") || FAILED.iter().any(|failed| value.contains(failed));
        if is_error {
            return Report::Failure;
        }
        let is_status = name.contains("status") || name.contains("result");
        if is_status && !SUCCEEDED.contains(&&*value) {
            report = Report::Unknown;
        }
    }
    report
}

/// The names and values of a raw query string.
fn pairs_in(query: &str) -> impl Iterator<Item = (&str, &str)> {
    query
        .trim_start_matches('?')
        .split('&')
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::session::{
        Approval,
        tests::{arrived, chosen, consented, opened},
    };

    fn linked() -> Session {
        let mut session = opened("Nubank");
        session.link("Nubank".to_owned(), Approval::NotNeeded, 1);
        session
    }

    fn told() -> Session {
        let mut session = linked();
        session.confirm_success();
        session
    }

    fn cancelled(widget_type: WidgetType) -> Session {
        let mut session = arrived(widget_type);
        session.cancel();
        session
    }

    /// The page is shown, and leads no further.
    #[track_caller]
    fn assert_shown(path: &str, session: &Session) {
        let page = Page::from_path(path).unwrap();
        assert_eq!(admit(page, None, Some(session)), Admission::Shown, "{path}");
    }

    #[test]
    fn a_link_arrives_where_its_home_leads() {
        for (session, path) in [
            (arrived(WidgetType::New), "/integration/widget"),
            (consented(), "/integration/accounts"),
            (chosen("Nubank"), "/integration/accounts"),
            (cancelled(WidgetType::New), "/integration/widget"),
            (cancelled(WidgetType::Update), "/integration/widget"),
            (arrived(WidgetType::Update), "/integration/update"),
            (arrived(WidgetType::Cancel), "/cancel/confirm"),
            (cancelled(WidgetType::Cancel), "/cancel/confirm"),
        ] {
            assert_eq!(arrival(&session).path(), path);
            assert_shown(path, &session);
        }
    }

    #[test]
    fn a_session_resumes_where_it_was_and_is_led_no_further() {
        for (session, path) in [
            (arrived(WidgetType::New), "/integration/widget"),
            (consented(), "/integration/accounts"),
            (chosen("Nubank"), "/integration/widget"),
            (opened("Nubank"), "/integration/widget"),
            (linked(), "/integration/success"),
            (told(), "/integration/accounts"),
            (cancelled(WidgetType::New), "/integration/widget"),
            (arrived(WidgetType::Update), "/integration/update"),
            (arrived(WidgetType::Cancel), "/cancel/confirm"),
            (cancelled(WidgetType::Cancel), "/cancel/confirm"),
        ] {
            assert_eq!(resumes_at(&session).path(), path);
            assert_shown(path, &session);
        }
    }

    #[test]
    fn entry_needs_a_token_or_a_return_with_a_session() {
        for (query, without, with) in [
            (None, false, false),
            (Some(""), false, false),
            (Some("token="), false, false),
            (Some("utm_source=mail"), false, false),
            (Some("token=abc"), true, true),
            (Some("utm=1&token=abc"), true, true),
            (Some("of-success"), false, true),
            (Some("itemId=1&x=of-success"), false, true),
            (Some("token=abc&of-success"), true, true),
        ] {
            let show = |shown: bool| show_if(shown, without_token(query.unwrap_or_default()));
            assert_eq!(
                admit(Page::Entry, query, None),
                show(without),
                "{query:?} without session"
            );
            assert_eq!(
                admit(Page::Entry, query, Some(&arrived(WidgetType::New))),
                show(with),
                "{query:?} with session"
            );
        }
    }

    #[test]
    fn a_token_survives_every_way_of_mail() {
        for raw in [
            "aa+bb/cc==",
            "aa%2Bbb%2Fcc%3D%3D",
            "aa%252Bbb%252Fcc%253D%253D",
            "+aa+bb/cc==+",
            "%20aa%2Bbb/%0D%0Acc==%E2%80%8B",
            "%2520aa+bb/cc=%3D%C2%A0",
        ] {
            let token = token_in(&format!("utm=1&token={raw}&x"));
            assert_eq!(token.as_deref(), Some("aa+bb/cc=="), "{raw}");
        }
        for kept in ["100%", "a%2", "a%zz", "~!#[]"] {
            assert_eq!(token_in(&format!("token={kept}")).as_deref(), Some(kept));
        }
    }

    #[test]
    fn values_of_a_return_decide() {
        for (query, report) in [
            ("of-success", Report::Success),
            ("of-success=1&itemId=7&code=x9&state=k-2", Report::Success),
            ("of-success&error=&errors=0&hasError=false", Report::Success),
            ("of-success&ERROR=Null&error_code=none", Report::Success),
            ("of-success&status=SUCCESS&result=OK", Report::Success),
            (
                "of-success&executionStatus=PARTIAL_SUCCESS",
                Report::Success,
            ),
            (
                "of-success&token=error&access_token=denied",
                Report::Success,
            ),
            ("of-success&error=access_denied", Report::Failure),
            ("of-success&errorCode=7", Report::Failure),
            ("of-success&erro=acesso_negado", Report::Failure),
            ("of-success&Reason=USER_CANCELLED", Report::Failure),
            ("of-success&code=access%5Fdenied", Report::Failure),
            ("of-success&state=cancelled", Report::Failure),
            ("of-success&result=timeout", Report::Failure),
            ("of-success&status=expired", Report::Failure),
            ("of-success=Denied", Report::Failure),
            ("of-success&status=REJECTED&error=", Report::Failure),
            ("of-success&status=WAITING", Report::Unknown),
            ("of-success&connection.result=unsuccessful", Report::Unknown),
            ("of-success&status=7&error=x", Report::Failure),
        ] {
            assert_eq!(report_of(query), report, "{query}");
        }
    }

    proptest! {
        #[test]
        fn a_token_is_found_wherever_it_stands_in_a_query(
            token in "[!-$&-*,-~]{1,40}",
            before in prop::collection::vec(("[a-s]{1,8}", "\\PC{0,10}"), 0..4),
            after in prop::collection::vec(("[a-z-]{1,8}", "\\PC{0,10}"), 0..4),
        ) {
            let mut query = form_urlencoded::Serializer::new(String::new());
            query.extend_pairs(&before).append_pair("token", &token).extend_pairs(&after);
            let query = query.finish();
            prop_assert_eq!(token_in(&query), Some(token.clone()));
            prop_assert_eq!(token_in(&format!("?{query}")), Some(token));
        }

        #[test]
        fn any_query_can_be_read(query in "\\PC{0,80}|[%&=?a-f0-9-]{0,60}") {
            if let Some(token) = token_in(&query) {
                prop_assert!(token.bytes().all(|byte| byte.is_ascii_graphic()) && query.contains('='));
            }
            prop_assert_eq!(is_return(&query), query.contains("of-success"));
            let returned = format!("{query}of-success{query}");
            prop_assert!(is_return(&returned));
        }
    }
}
