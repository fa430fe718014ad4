//! The error screens.

use axum::http::StatusCode;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;

use crate::{
    app::{
        Document, Facts, PageRequest,
        parts::{BackLink, ContactLine},
        request,
    },
    problem::{Problem, Way},
    routes::{self, Page},
    session::{Session, guard::resumes_at},
    words,
};

const PROBLEM: Facts = Facts {
    side_image: "cancel",
    names_contact: false,
    ..Facts::new("error", "")
};

const NOT_FOUND: Facts = Facts {
    side_image: "cancel",
    ..Facts::new("not-found", words::NOT_FOUND_TITLE)
};

/// What an error screen states and offers.
struct Shown {
    problem: Problem,
    /// The page where the session continues, if there is a session.
    resumes_at: Option<Page>,
    /// The id of the failed request, if support can find its cause in the logs.
    support_code: Option<String>,
}

#[component]
pub fn ProblemPage() -> impl IntoView {
    let shown = Shown::by(&request());
    let words = words::problem(shown.problem, shown.resumes_at.is_some());
    let facts = Facts {
        title: words.title,
        ..PROBLEM
    };
    view! {
        <Document facts context=None>
            <section class="step problem">
                <h1 class="step__title" tabindex="-1" autofocus=true>{words.title}</h1>
                <p class="step__lead">{words.meaning}</p>
                <p class="problem__way-out">{words.way_out}</p>
                {way_on(&shown).map(|(words, page)| view! {
                    <div class="actions"><a class="button button--primary" href=page.path()>{words}</a></div>
                })}
                <ContactLine/>
                {shown.support_code.map(|id| view! { <SupportCode id/> })}
            </section>
        </Document>
    }
}

#[component]
pub fn NotFoundPage() -> impl IntoView {
    expect_context::<ResponseOptions>().set_status(StatusCode::NOT_FOUND);
    view! {
        <Document facts=NOT_FOUND context=None>
            <section class="step problem">
                {request().back().map(|to| view! { <BackLink to/> })}
                <h1 class="step__title" tabindex="-1" autofocus=true>{words::NOT_FOUND_TITLE}</h1>
                <p class="step__lead">{words::NOT_FOUND}</p>
            </section>
        </Document>
    }
}

impl Shown {
    /// The request's session is the one in which the request failed that led here.
    fn by(request: &PageRequest) -> Self {
        let session = request.visitor.as_deref();
        let query = request.query();
        let is_cancelled = session.is_some_and(Session::is_cancelled);
        let problem = match Problem::at(request.uri.path(), query) {
            // The session knows why the link is refused.
            Problem::TokenInvalid | Problem::TokenNotExists | Problem::TokenExpired
                if is_cancelled =>
            {
                Problem::Cancelled
            }
            problem => problem,
        };
        let support_code = routes::support_code(query).filter(|_| problem.facts().has_support_code);
        Self {
            problem,
            resumes_at: session.map(resumes_at),
            support_code: support_code.map(str::to_owned),
        }
    }
}

/// The words and the page of the link that an error screen offers to the session.
fn way_on(shown: &Shown) -> Option<(&'static str, Page)> {
    let resumes_at = shown.resumes_at?;
    match shown.problem.facts().way_on? {
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
            way_on(&Shown {
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
