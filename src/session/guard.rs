//! Decides which page a session may view: every route against every session.

use vincula_domain::{
    problem::Problem,
    routes::{self, Page},
    wire::WidgetType,
};

use super::{Progress, Session, Stage};

/// Decides on a request for a page. `query` is the raw query string, without `?`. The error is the page to which the
/// browser is redirected; it replaces this one in the history.
pub fn admit(page: Page, query: Option<&str>, session: Option<&Session>) -> Result<(), String> {
    let session = match (page, session) {
        (Page::Error | Page::Accessibility, _) => return Ok(()),
        (Page::Entry, session) => return admit_entry(query.unwrap_or_default(), session),
        (_, None) if routes::has_flag(query.unwrap_or_default(), routes::VALIDATED) => {
            return Err(routes::error(Problem::CookiesBlocked));
        }
        (_, None) => return to(routes::ENTRY),
        (_, Some(session)) => session,
    };
    match page {
        Page::Entry | Page::Error | Page::Accessibility | Page::Accounts => Ok(()),
        Page::New if home(session) == routes::NEW => to(arrival(session)),
        Page::New => to(home(session)),
        Page::Widget => match session.stage {
            Stage::Arrived | Stage::BankChosen(..) => Ok(()),
            Stage::Consented(_) => to(routes::SELECT_BANK),
        },
        Page::SelectBank => show_if(session.stage.consent().is_some(), routes::WIDGET),
        Page::Update => show_if(session.may_renew(), routes::NEW),
        Page::Success => show_if(session.progress.linked, home(session)),
        Page::Receipt => show_if(session.has_receipt(), routes::WIDGET),
        Page::CancelConfirm => show_if(!session.is_cancelled(), routes::CANCEL_SUCCESS),
        Page::CancelSuccess => show_if(session.is_cancelled(), routes::CANCEL_CONFIRM),
    }
}

/// The start page of a session, by its widget type.
pub fn home(session: &Session) -> &'static str {
    match session.client.widget_type {
        WidgetType::Cancel => routes::CANCEL_CONFIRM,
        WidgetType::Update if session.may_renew() => routes::UPDATE,
        WidgetType::Update | WidgetType::New => routes::NEW,
    }
}

/// The page where a session goes on after an error or another detour: what is under way, or else its start.
pub fn resumes_at(session: &Session) -> &'static str {
    match session.progress {
        Progress {
            linked: true,
            success_reported: false,
        } => routes::SUCCESS,
        _ if session.stage.bank().is_some() => routes::WIDGET,
        _ => arrival(session),
    }
}

/// The first page after a validation: the one that the guard shows for [`home`], without a redirect's round trip.
pub fn arrival(session: &Session) -> &'static str {
    match home(session) {
        routes::CANCEL_CONFIRM if session.is_cancelled() => routes::CANCEL_SUCCESS,
        routes::NEW if session.stage.consent().is_some() => routes::ACCOUNTS,
        routes::NEW => routes::WIDGET,
        start => start,
    }
}

/// The `token` of a link's query string, percent-decoded; `None` if absent or empty.
pub fn token_in(query: &str) -> Option<String> {
    let query = query.strip_prefix('?').unwrap_or(query);
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs
        .find(|(name, value)| name == "token" && !value.is_empty())
        .map(|(_, value)| value.into_owned())
}

/// Whether a query string marks a return from the bank: the mark counts anywhere in it.
pub fn is_return(query: &str) -> bool {
    query.contains(routes::OF_SUCCESS)
}

fn admit_entry(query: &str, session: Option<&Session>) -> Result<(), String> {
    let known = token_in(query).is_some() || (is_return(query) && session.is_some());
    if known {
        Ok(())
    } else {
        Err(routes::error(Problem::TokenNotFound))
    }
}

fn show_if(fits: bool, otherwise: &str) -> Result<(), String> {
    if fits { Ok(()) } else { to(otherwise) }
}

fn to(path: &str) -> Result<(), String> {
    Err(path.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use vincula_domain::{bank::BankCode, token::LinkToken};

    use super::*;
    use crate::session::{ChosenBank, client::tests::client};

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
            key: String::new(),
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
            },
        );
        session.cancel(9);
        session
    }

    #[test]
    fn without_session_data_every_protected_route_leads_to_the_entry() {
        for page in Page::ALL.into_iter().filter(|page| page.needs_session()) {
            assert_eq!(admit(page, None, None), to("/"), "{page:?}");
        }
        assert_eq!(admit(Page::Error, None, None), Ok(()));
    }

    /// The link was validated, so only the browser can have lost the session.
    #[test]
    fn a_validated_link_without_a_session_leads_to_the_words_about_cookies() {
        let blocked = to("/error/cookies-blocked");
        for page in Page::ALL.into_iter().filter(|page| page.needs_session()) {
            for query in ["validado=1", "aviso=sem-resposta&validado=1"] {
                assert_eq!(admit(page, Some(query), None), blocked, "{page:?} {query}");
                let with = admit(page, Some(query), Some(&arrived()));
                assert_eq!(
                    with,
                    admit(page, None, Some(&arrived())),
                    "{page:?} {query}"
                );
            }
            for query in ["", "validado=", "validado=10", "xvalidado=1", "listar=1"] {
                assert_eq!(admit(page, Some(query), None), to("/"), "{page:?} {query}");
            }
        }
        assert_eq!(
            admit(Page::Entry, Some("validado=1"), None),
            to("/error/token-not-found")
        );
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
            assert_eq!(admit(Page::New, None, Some(&session)), to(home(&session)));
        }
        for (page, expected) in table {
            for (session, expected) in [arrived(), consented(), chosen()].iter().zip(expected) {
                let expected = expected.map_or(Ok(()), to);
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
    fn success_screens_state_only_what_happened() {
        let with = |widget_type, linked| {
            session(
                widget_type,
                Stage::Arrived,
                Progress {
                    linked,
                    success_reported: false,
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
                    expected.map_or(Ok(()), to),
                    "{page:?}"
                );
            }
        }
        assert_eq!(
            admit(Page::Update, None, Some(&with(WidgetType::Update, false))),
            Ok(())
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
            assert_eq!(arrival(&session), path);
            let page = Page::at(path).unwrap();
            assert_eq!(
                admit(page, None, Some(&session)),
                Ok(()),
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
            assert_eq!(resumes_at(&session), path);
            assert_eq!(
                admit(Page::at(path).unwrap(), None, Some(&session)),
                Ok(()),
                "{path}"
            );
        }
    }

    #[test]
    fn entry_needs_a_token_or_a_return_with_a_session() {
        let not_found = to("/error/token-not-found");
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
            let show = |shown: bool| if shown { Ok(()) } else { not_found.clone() };
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
            token in "\\PC{1,40}",
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
                prop_assert!(!token.is_empty() && query.contains("en"));
            }
            prop_assert_eq!(is_return(&query), query.contains("of-success"));
            let returned = format!("{query}of-success{query}");
            prop_assert!(is_return(&returned));
        }
    }
}
