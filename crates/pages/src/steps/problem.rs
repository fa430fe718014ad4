//! `/error/:type` and every path that does not exist.

use leptos::prelude::*;
use vincula_domain::{problem::Way, routes::Page, words};

use crate::{
    page_request::{ErrorScreen, PageRequest, Shared, request},
    parts::{BackLink, ContactLine},
};

#[component]
pub fn ProblemPage() -> impl IntoView {
    let request = request();
    let PageRequest {
        firm, cancelled_at, ..
    } = &*request;
    let error = request.error();
    let ErrorScreen {
        problem, shared, ..
    } = error;
    let words = if error.outage {
        words::outage(firm.as_deref())
    } else {
        words::problem(problem, firm.as_deref())
    };
    let shared = match shared {
        _ if !problem.blames_token() => None,
        // The session knows when it was cancelled.
        Shared::Unsaid => cancelled_at
            .as_ref()
            .zip(firm.as_ref())
            .map(|(when, firm)| words::cancelled_lead(when, firm)),
        Shared::Nothing => Some(words::NOTHING_SHARED.to_owned()),
        Shared::AsBefore => Some(words::ACCOUNTS_AS_BEFORE.to_owned()),
    };
    view! {
        <section class="step problem">
            <h1 class="step__title" tabindex="-1" autofocus=true>{words.title}</h1>
            <p class="step__lead">{words.meaning} {shared.map(|shared| view! { " " {shared} })}</p>
            <p class="problem__way-out">{words.way_out}</p>
            <ContactLine/>
            <WaysOn ways=ways_on(error)/>
            <SupportCode/>
        </section>
    }
}

#[component]
pub fn NotFoundPage() -> impl IntoView {
    view! {
        <section class="step problem">
            {request().back.clone().map(|to| view! { <BackLink to/> })}
            <h1 class="step__title" tabindex="-1" autofocus=true>{words::NOT_FOUND_TITLE}</h1>
            <p class="step__lead">{words::NOT_FOUND}</p>
            <SupportCode/>
        </section>
    }
}

/// A link: its words and its page.
type Link = (&'static str, Page);

/// The links that an error screen offers to the session. In addition to another link, the accounts
/// are offered only if there may be any and the other link does not lead there.
fn ways_on(error: ErrorScreen) -> Vec<Link> {
    let problem = error.problem;
    let Some(resumes_at) = error.resumes_at else {
        return Vec::new();
    };
    let has_accounts = error.shared == Shared::AsBefore && resumes_at != Page::Accounts;
    let links = problem.ways_on().iter().filter_map(|way| match way {
        Way::Again => Some((words::TRY_AGAIN, resumes_at)),
        Way::Accounts if has_accounts || problem.ways_on().len() == 1 => {
            Some((words::OPEN_ACCOUNTS, Page::Accounts))
        }
        Way::Accounts => None,
    });
    links.collect()
}

#[component]
fn WaysOn(ways: Vec<Link>) -> impl IntoView {
    let buttons = ["button button--primary", "button button--secondary"];
    (!ways.is_empty()).then(|| {
        let links = buttons.into_iter().zip(ways).map(|(class, (words, page))| {
            view! { <a class=class href=page.path()>{words}</a> }
        });
        view! { <div class="actions">{links.collect_view()}</div> }
    })
}

/// The request id in the logs of the server and the upstream, which the client can read out or
/// copy.
#[component]
fn SupportCode() -> impl IntoView {
    request().support_code.clone().map(|id| {
        view! {
            <div class="problem__support">
                <p>{words::SUPPORT_CODE}</p>
                // Screen readers read groups of letters. The selectable text stays one word.
                <code class="problem__code" id="support-code" aria-hidden="true">{id.clone()}</code>
                <span class="visually-hidden problem__spoken">{in_groups(&id)}</span>
                <button class="button button--quiet" type="button" id="copy-code" hidden>{words::COPY}</button>
                <p id="copied" aria-live="polite" aria-atomic="true" data-words=words::COPIED></p>
            </div>
        }
    })
}

/// Splits a code into groups of four letters.
fn in_groups(code: &str) -> String {
    let letters: Vec<char> = code.chars().collect();
    letters
        .chunks(4)
        .map(String::from_iter)
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use vincula_domain::problem::Problem;

    use super::*;

    #[test]
    fn splits_code_into_groups_of_four() {
        assert_eq!(in_groups("e49c5cc277da"), "e49c 5cc2 77da");
        assert_eq!(in_groups("é49c5"), "é49c 5");
        assert_eq!(in_groups(""), "");
    }

    #[test]
    fn offers_only_links_that_can_succeed() {
        let again = |page| (words::TRY_AGAIN, page);
        let accounts = (words::OPEN_ACCOUNTS, Page::Accounts);
        let offered = |problem, shared, resumes_at| {
            ways_on(ErrorScreen {
                problem,
                shared,
                resumes_at,
                outage: false,
            })
        };
        for (problem, shared, at, ways) in [
            (
                Problem::TokenInvalid,
                Shared::AsBefore,
                Page::Success,
                vec![again(Page::Success), accounts],
            ),
            (
                Problem::TokenInvalid,
                Shared::AsBefore,
                Page::Accounts,
                vec![again(Page::Accounts)],
            ),
            (
                Problem::TokenInvalid,
                Shared::Nothing,
                Page::Widget,
                vec![again(Page::Widget)],
            ),
            (
                Problem::TokenNotFound,
                Shared::Nothing,
                Page::Widget,
                vec![again(Page::Widget)],
            ),
            (
                Problem::LinkNotUpdated,
                Shared::AsBefore,
                Page::Update,
                vec![accounts, again(Page::Update)],
            ),
            (
                Problem::LinkNotExists,
                Shared::AsBefore,
                Page::Update,
                vec![accounts],
            ),
            (
                Problem::TokenExpired,
                Shared::AsBefore,
                Page::Success,
                vec![],
            ),
            (
                Problem::TokenNotExists,
                Shared::AsBefore,
                Page::Success,
                vec![],
            ),
        ] {
            assert_eq!(
                offered(problem, shared, Some(at)),
                ways,
                "{problem:?}, {shared:?}, {at:?}"
            );
        }
        for &problem in Problem::ALL {
            assert_eq!(
                offered(problem, Shared::Nothing, None),
                [],
                "{problem:?} without a session"
            );
        }
    }
}
