//! `/error/:type`: what an error screen states and offers.

use axum::http::Uri;

use crate::{
    problem::{Detail, Problem},
    routes,
    screen::{ProblemScreen, Screen},
    session::{Session, guard::resumes_at},
};

/// What an error screen shows. `session`: the session in which the request failed.
pub fn problem_screen(uri: &Uri, session: Option<&Session>) -> Screen {
    let query = uri.query().unwrap_or_default();
    let problem = Problem::from_path(uri.path());
    let detail = Detail::from_query(problem, query).or_else(|| cancellation(problem, session));
    let support_code = if has_support_code(problem, detail) {
        routes::support_code(query).map(str::to_owned)
    } else {
        None
    };
    Screen::Problem(ProblemScreen {
        problem,
        detail,
        resumes_at: session.map(resumes_at),
        support_code,
    })
}

/// The session knows why the link is refused.
fn cancellation(problem: Problem, session: Option<&Session>) -> Option<Detail> {
    let is_cancelled = session.is_some_and(Session::is_cancelled);
    (problem.is_of_link() && is_cancelled).then_some(Detail::Cancelled)
}

/// Whether support can find the cause of the failure in the logs. The other screens say it.
fn has_support_code(problem: Problem, detail: Option<Detail>) -> bool {
    let is_unexpected = matches!(
        problem,
        Problem::TokenInvalid | Problem::TokenNotExists | Problem::LinkNotExists
    );
    is_unexpected && detail != Some(Detail::Cancelled)
}
