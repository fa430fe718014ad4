//! `/error/:type` and every path that does not exist.

use leptos::prelude::*;
use vincula_domain::{
    problem::{Problem, Way},
    routes::Page,
    words,
};

use crate::{
    page_request::{PageRequest, Recourse, Shared, request},
    parts::{BackLink, ContactLine},
};

#[component]
pub fn ProblemPage() -> impl IntoView {
    let request = request();
    let PageRequest {
        problem,
        recourse,
        firm,
        cancelled_at,
        ..
    } = &*request;
    let words = match recourse.outage {
        true => words::outage(firm.as_deref()),
        false => words::problem(*problem, firm.as_deref()),
    };
    let shared = match recourse.shared {
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
            <WaysOn ways=ways_on(*problem, *recourse)/>
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

/// The links that a problem offers to the session. In addition to another link, the accounts are
/// offered only if there may be any and the other link does not lead there.
fn ways_on(problem: Problem, recourse: Recourse) -> Vec<Link> {
    let Some(resumes_at) = recourse.resumes_at else {
        return Vec::new();
    };
    let has_accounts = recourse.shared == Shared::AsBefore && resumes_at != Page::Accounts;
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
    use super::*;

    #[test]
    fn splits_code_into_groups_of_four() {
        assert_eq!(in_groups("e49c5cc277da"), "e49c 5cc2 77da");
        assert_eq!(in_groups("é49c5"), "é49c 5");
        assert_eq!(in_groups(""), "");
    }

    #[test]
    fn offers_only_links_that_can_succeed() {
        let within = |shared, at| Recourse {
            shared,
            resumes_at: Some(at),
            outage: false,
        };
        let linked = within(Shared::AsBefore, Page::Success);
        let updating = within(Shared::AsBefore, Page::Update);
        let again = |page| (words::TRY_AGAIN, page);
        let accounts = (words::OPEN_ACCOUNTS, Page::Accounts);
        for (problem, recourse, ways) in [
            (
                Problem::TokenInvalid,
                linked,
                vec![again(Page::Success), accounts],
            ),
            (
                Problem::TokenInvalid,
                within(Shared::AsBefore, Page::Accounts),
                vec![again(Page::Accounts)],
            ),
            (
                Problem::TokenInvalid,
                within(Shared::Nothing, Page::Widget),
                vec![again(Page::Widget)],
            ),
            (
                Problem::TokenNotFound,
                within(Shared::Nothing, Page::Widget),
                vec![again(Page::Widget)],
            ),
            (
                Problem::LinkNotUpdated,
                updating,
                vec![accounts, again(Page::Update)],
            ),
            (Problem::LinkNotExists, updating, vec![accounts]),
            (Problem::TokenExpired, linked, vec![]),
            (Problem::TokenNotExists, linked, vec![]),
        ] {
            assert_eq!(
                ways_on(problem, recourse),
                ways,
                "{problem:?}, {recourse:?}"
            );
        }
        for &problem in Problem::ALL {
            assert_eq!(
                ways_on(problem, Recourse::default()),
                [],
                "{problem:?} without a session"
            );
        }
    }
}
