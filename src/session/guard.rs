//! Decides which page a session may view: every route against every session.

use vincula_domain::token::without_additions;

use crate::{
    destination::Destination,
    problem::Problem,
    routes::{self, Page, has_flag},
    wire::WidgetType,
};

use super::{Session, SuccessCall};

/// What the status of a failed return contains.
const FAILED: [&str; 6] = ["error", "fail", "denied", "reject", "cancel", "not_granted"];

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
    if is_return(query) && !names_error(query) {
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

/// The `token` of a link's query string, percent-decoded and without what mail programs and chats
/// add to it; `None` if absent or empty. An `&` that was escaped for HTML leaves `amp;` before the
/// name.
pub fn token_in(query: &str) -> Option<String> {
    pairs_in(query)
        .map(|(name, value)| (without_additions(&name), without_additions(&value)))
        .find(|(name, value)| name.trim_start_matches("amp;") == "token" && !value.is_empty())
        .map(|(_, value)| value)
}

/// Whether a query string marks a return from the bank: the mark counts anywhere in it.
pub fn is_return(query: &str) -> bool {
    query.contains(routes::OF_SUCCESS)
}

/// Whether the query of a return names an error, as a bank's refusal does: by a name, such as
/// `error` or `errorCode`, or by a status, such as `status=LOGIN_ERROR`.
pub fn names_error(query: &str) -> bool {
    pairs_in(query).any(|(name, value)| {
        let (name, value) = (name.to_ascii_lowercase(), value.to_ascii_lowercase());
        let is_status = ["status", "result", routes::OF_SUCCESS]
            .iter()
            .any(|status| name.contains(status));
        name.contains("error") || is_status && FAILED.iter().any(|failed| value.contains(failed))
    })
}

/// The decoded pairs of a raw query string.
fn pairs_in(query: &str) -> form_urlencoded::Parse<'_> {
    form_urlencoded::parse(query.strip_prefix('?').unwrap_or(query).as_bytes())
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

    proptest! {
        #[test]
        fn a_token_is_found_wherever_it_stands_in_a_query(
            token in "[!-$&-~]{1,40}",
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
