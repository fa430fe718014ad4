//! Decides which page a session may view: every route against every session.

use vincula_domain::token::without_additions;

use crate::{
    page_path::PagePath,
    problem::{Detail, Problem},
    routes::{self, Page, has_flag},
    wire::WidgetType,
};

use super::{Session, Stage};

/// What the status of a failed return contains.
const FAILED: [&str; 6] = ["error", "fail", "denied", "reject", "cancel", "not_granted"];

/// What becomes of a request for a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admission {
    Shown,
    /// The browser is redirected; the page there replaces this one in the history.
    Redirected(PagePath),
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
pub fn without_token(query: &str) -> PagePath {
    if is_return(query) && !names_error(query) {
        Detail::Returned.into()
    } else {
        Problem::TokenNotFound.into()
    }
}

fn admit_session(page: Page, query: &str, session: &Session) -> Admission {
    let is_authorized = session.stage.consent().is_some();
    match page {
        Page::Entry | Page::Error | Page::Accessibility | Page::Accounts => Admission::Shown,
        Page::New if home(session) == Page::New => redirect_to(arrival(session)),
        Page::New => redirect_to(home(session)),
        // Whatever was chosen before.
        Page::Widget if is_authorized && has_flag(query, routes::NEW_BANK) => {
            redirect_to(Page::SelectBank)
        }
        Page::Widget => match session.stage {
            Stage::Arrived | Stage::BankChosen(..) => Admission::Shown,
            Stage::Consented(_) => redirect_to(Page::SelectBank),
        },
        Page::SelectBank => show_if(is_authorized, Page::Widget),
        Page::Update => show_if(session.may_renew(), Page::New),
        Page::Success => show_if(session.progress.linked, home(session)),
        Page::CancelConfirm => show_if(!session.is_cancelled(), Page::CancelSuccess),
        Page::CancelSuccess => show_if(session.is_cancelled(), Page::CancelConfirm),
    }
}

fn show_if(may_show: bool, otherwise: impl Into<PagePath>) -> Admission {
    if may_show {
        Admission::Shown
    } else {
        redirect_to(otherwise)
    }
}

fn redirect_to(path: impl Into<PagePath>) -> Admission {
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
    if session.progress.linked && !session.progress.success_reported {
        Page::Success
    } else if session.stage.bank().is_some() {
        Page::Widget
    } else {
        arrival(session)
    }
}

/// The first page after a validation: the one that the guard shows for [`home`], without a
/// redirect's round trip.
pub fn arrival(session: &Session) -> Page {
    match home(session) {
        Page::CancelConfirm if session.is_cancelled() => Page::CancelSuccess,
        Page::New if session.stage.consent().is_some() => Page::Accounts,
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
    use vincula_domain::{bank::BankCode, token::LinkToken};

    use super::*;
    use crate::session::{ChosenBank, Progress, client::tests::client};

    fn leads_to(path: &str) -> Admission {
        Admission::Redirected(serde_json::from_value(path.into()).unwrap())
    }

    fn session(widget_type: WidgetType, stage: Stage, progress: Progress) -> Session {
        let mut client = client("12ABC34501DE35", "", "");
        client.widget_type = widget_type;
        let token = LinkToken::parse("t").unwrap();
        Session {
            stage,
            progress,
            ..Session::new(String::new(), token, client, 0)
        }
    }

    fn arrived() -> Session {
        session(WidgetType::New, Stage::Arrived, Progress::default())
    }

    fn consented() -> Session {
        session(WidgetType::New, given(), Progress::default())
    }

    fn given() -> Stage {
        Stage::Arrived.authorize(1, 1)
    }

    fn chosen() -> Session {
        let bank = ChosenBank {
            code: BankCode::parse("260").unwrap(),
            name: String::new(),
        };
        let consent = given().consent().unwrap();
        session(
            WidgetType::New,
            Stage::BankChosen(consent, bank),
            Progress::default(),
        )
    }

    /// Everything was cancelled, after a consent.
    fn cancelled(widget_type: WidgetType) -> Session {
        let mut session = session(
            widget_type,
            given(),
            Progress {
                linked: true,
                success_reported: true,
                ..Progress::default()
            },
        );
        session.cancel();
        session
    }

    #[test]
    fn without_session_data_every_protected_route_leads_to_the_entry() {
        for page in Page::ALL
            .iter()
            .copied()
            .filter(|page| page.needs_session())
        {
            assert_eq!(admit(page, None, None), leads_to("/"), "{page:?}");
        }
        assert_eq!(admit(Page::Error, None, None), Admission::Shown);
    }

    #[test]
    fn routes_by_stage() {
        let table: [(Page, [Option<&str>; 3]); 9] = [
            // arrived, consented, bank chosen; None: shown
            (Page::Error, [None, None, None]),
            (
                Page::New,
                [
                    Some("/integration/widget"),
                    Some("/integration/accounts"),
                    Some("/integration/accounts"),
                ],
            ),
            (Page::Widget, [None, Some("/integration/select-bank"), None]),
            (Page::Accounts, [None, None, None]),
            (Page::SelectBank, [Some("/integration/widget"), None, None]),
            (Page::Update, [Some("/integration/new"); 3]),
            (Page::Success, [Some("/integration/new"); 3]),
            (Page::CancelConfirm, [None, None, None]),
            (Page::CancelSuccess, [Some("/cancel/confirm"); 3]),
        ];
        for widget_type in [WidgetType::Update, WidgetType::Cancel] {
            let session = session(widget_type, Stage::Arrived, Progress::default());
            assert_eq!(
                admit(Page::New, None, Some(&session)),
                redirect_to(home(&session))
            );
        }
        for (page, expected) in table {
            for (session, expected) in [arrived(), consented(), chosen()].iter().zip(expected) {
                let expected = expected.map_or(Admission::Shown, leads_to);
                assert_eq!(
                    admit(page, None, Some(session)),
                    expected,
                    "{page:?} at {:?}",
                    session.stage
                );
            }
        }
    }

    #[test]
    fn new_bank_starts_at_the_form_whatever_was_chosen() {
        let query = Some("novo=1");
        for session in [consented(), chosen()] {
            assert_eq!(
                admit(Page::Widget, query, Some(&session)),
                leads_to("/integration/select-bank"),
                "{:?}",
                session.stage
            );
        }
        assert_eq!(
            admit(Page::Widget, query, Some(&arrived())),
            Admission::Shown
        );
    }

    #[test]
    fn success_screens_state_only_what_happened() {
        let with = |widget_type, linked| {
            session(
                widget_type,
                Stage::Arrived,
                Progress {
                    linked,
                    ..Progress::default()
                },
            )
        };
        for (session, success, cancel_confirm, cancel_success) in [
            (
                with(WidgetType::New, true),
                None,
                None,
                Some("/cancel/confirm"),
            ),
            (
                with(WidgetType::Update, false),
                Some("/integration/update"),
                None,
                Some("/cancel/confirm"),
            ),
            (
                with(WidgetType::Cancel, false),
                Some("/cancel/confirm"),
                None,
                Some("/cancel/confirm"),
            ),
            (
                cancelled(WidgetType::Cancel),
                Some("/cancel/confirm"),
                Some("/cancel/success"),
                None,
            ),
            (
                cancelled(WidgetType::Update),
                Some("/integration/new"),
                Some("/cancel/success"),
                None,
            ),
        ] {
            for (page, expected) in [
                (Page::Success, success),
                (Page::CancelConfirm, cancel_confirm),
                (Page::CancelSuccess, cancel_success),
            ] {
                assert_eq!(
                    admit(page, None, Some(&session)),
                    expected.map_or(Admission::Shown, leads_to),
                    "{page:?}"
                );
            }
        }
        assert_eq!(
            admit(Page::Update, None, Some(&with(WidgetType::Update, false))),
            Admission::Shown
        );
    }

    #[test]
    fn a_link_arrives_where_its_home_leads() {
        let authorized = given;
        for (session, path) in [
            (arrived(), "/integration/widget"),
            (consented(), "/integration/accounts"),
            (chosen(), "/integration/accounts"),
            (cancelled(WidgetType::New), "/integration/widget"),
            (cancelled(WidgetType::Update), "/integration/widget"),
            (
                session(WidgetType::Update, authorized(), Progress::default()),
                "/integration/update",
            ),
            (
                session(WidgetType::Cancel, Stage::Arrived, Progress::default()),
                "/cancel/confirm",
            ),
            (cancelled(WidgetType::Cancel), "/cancel/success"),
        ] {
            let page = Page::from_path(path).unwrap();
            assert_eq!(arrival(&session), page);
            assert_eq!(
                admit(page, None, Some(&session)),
                Admission::Shown,
                "{path} leads no further"
            );
        }
    }

    #[test]
    fn a_session_resumes_where_it_was_and_is_led_no_further() {
        let linked = Progress {
            linked: true,
            ..Progress::default()
        };
        let told = Progress {
            success_reported: true,
            ..linked
        };
        let authorized = given;
        for (session, path) in [
            (arrived(), "/integration/widget"),
            (consented(), "/integration/accounts"),
            (chosen(), "/integration/widget"),
            (
                session(WidgetType::New, authorized(), linked),
                "/integration/success",
            ),
            (
                session(WidgetType::New, authorized(), told),
                "/integration/accounts",
            ),
            (cancelled(WidgetType::New), "/integration/widget"),
            (
                session(WidgetType::Update, Stage::Arrived, Progress::default()),
                "/integration/update",
            ),
            (
                session(WidgetType::Cancel, Stage::Arrived, Progress::default()),
                "/cancel/confirm",
            ),
            (cancelled(WidgetType::Cancel), "/cancel/success"),
        ] {
            let page = Page::from_path(path).unwrap();
            assert_eq!(resumes_at(&session), page);
            assert_eq!(
                admit(page, None, Some(&session)),
                Admission::Shown,
                "{path}"
            );
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
                admit(Page::Entry, query, Some(&arrived())),
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
