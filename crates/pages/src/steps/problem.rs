//! `/error/:type` and every path that does not exist (spec §2, "Error screen messages").

use leptos::prelude::*;
use vincula_domain::{problem::Problem, words};

#[component]
pub fn ProblemPage(problem: Problem, support_code: Option<String>) -> impl IntoView {
    let words = words::problem(problem);
    view! {
        <section class="step problem">
            <h1 class="step__title" tabindex="-1" autofocus=true>{words.title}</h1>
            <p class="step__lead">{words.meaning} " " {problem.is_of_token().then_some(words::NOTHING_SHARED)}</p>
            <p class="notice notice--warning">{words.way_out}</p>
            <SupportCode support_code/>
        </section>
    }
}

#[component]
pub fn NotFoundPage(support_code: Option<String>) -> impl IntoView {
    view! {
        <section class="step problem">
            <h1 class="step__title" tabindex="-1" autofocus=true>{words::NOT_FOUND_TITLE}</h1>
            <p class="step__lead">{words::NOT_FOUND}</p>
            <SupportCode support_code/>
        </section>
    }
}

/// The id of a request in our log and the upstream's, for the client to read out or copy to support.
#[component]
fn SupportCode(support_code: Option<String>) -> impl IntoView {
    support_code.map(|id| {
        view! {
            <div class="problem__support">
                <p>{words::SUPPORT_CODE} " " <code class="problem__code" id="support-code">{id}</code></p>
                <button class="button button--quiet" type="button" id="copy-code" hidden>{words::COPY}</button>
                <p id="copied" role="status" data-words=words::COPIED></p>
            </div>
        }
    })
}
