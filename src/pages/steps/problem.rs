//! `/error/:type` and every path that does not exist.

use leptos::prelude::*;

use crate::{
    pages::{
        page_request::request,
        parts::{BackLink, ContactLine},
    },
    problem::Way,
    routes::Page,
    screen::ProblemScreen,
    words,
};

#[component]
pub fn ProblemPage() -> impl IntoView {
    let screen: ProblemScreen = expect_context();
    let words = screen.words();
    let way_on = way_on(&screen);
    view! {
        <section class="step problem">
            <h1 class="step__title" tabindex="-1" autofocus=true>{words.title}</h1>
            <p class="step__lead">{words.meaning}</p>
            <p class="problem__way-out">{words.way_out}</p>
            <ContactLine/>
            {way_on.map(|(words, page)| view! {
                <div class="actions"><a class="button button--primary" href=page.path()>{words}</a></div>
            })}
            {screen.support_code.map(|id| view! { <SupportCode id/> })}
        </section>
    }
}

#[component]
pub fn NotFoundPage() -> impl IntoView {
    view! {
        <section class="step problem">
            {request().back.map(|to| view! { <BackLink to/> })}
            <h1 class="step__title" tabindex="-1" autofocus=true>{words::NOT_FOUND_TITLE}</h1>
            <p class="step__lead">{words::NOT_FOUND}</p>
        </section>
    }
}

/// The words and the page of the link that an error screen offers to the session.
fn way_on(screen: &ProblemScreen) -> Option<(&'static str, Page)> {
    let resumes_at = screen.resumes_at?;
    match screen.problem.facts().way_on? {
        Way::Again => Some((words::TRY_AGAIN, resumes_at)),
        Way::Accounts => Some((words::OPEN_ACCOUNTS, Page::Accounts)),
    }
}

/// The request id in the logs of the server and the upstream, which the client can read out or
/// copy.
#[component]
fn SupportCode(id: String) -> impl IntoView {
    view! {
        <div class="problem__support">
            <p>{words::SUPPORT_CODE}</p>
            // Screen readers read groups of letters. The selectable text stays one word.
            <code class="problem__code" id="support-code" aria-hidden="true" translate="no">{id.clone()}</code>
            <span class="visually-hidden problem__spoken">{in_groups(&id)}</span>
            <button class="button button--quiet" type="button" id="copy-code" hidden>{words::COPY}</button>
            <p id="copied" aria-live="polite" aria-atomic="true" data-words=words::COPIED></p>
        </div>
    }
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
    use crate::problem::Problem;

    use super::*;

    #[test]
    fn splits_code_into_groups_of_four() {
        assert_eq!(in_groups("e49c5cc277da"), "e49c 5cc2 77da");
        assert_eq!(in_groups("é49c5"), "é49c 5");
        assert_eq!(in_groups(""), "");
    }

    #[test]
    fn offers_only_a_way_on_that_can_succeed() {
        let offered = |problem, resumes_at| {
            way_on(&ProblemScreen {
                problem,
                resumes_at,
                support_code: None,
            })
        };
        let again = Some((words::TRY_AGAIN, Page::Success));
        let accounts = Some((words::OPEN_ACCOUNTS, Page::Accounts));
        for (problem, way) in [
            (Problem::TokenInvalid, again),
            (Problem::TokenNotFound, again),
            (Problem::LinkNotUpdated, accounts),
            (Problem::LinkNotExists, accounts),
            (Problem::TokenExpired, None),
            (Problem::TokenNotExists, None),
            (Problem::CookiesBlocked, None),
            (Problem::Outage, again),
            (Problem::Returned, again),
            (Problem::Cancelled, None),
        ] {
            assert_eq!(offered(problem, Some(Page::Success)), way, "{problem:?}");
            assert_eq!(
                offered(problem, None),
                None,
                "{problem:?} without a session"
            );
        }
    }
}
