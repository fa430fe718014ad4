//! `/error/:type`: what an error screen states and offers.

use axum::http::Uri;

use crate::{
    problem::Problem,
    routes,
    screen::{ProblemScreen, Screen},
    session::{Session, guard::resumes_at},
};

/// What an error screen shows. `session`: the session in which the request failed.
pub fn problem_screen(uri: &Uri, session: Option<&Session>) -> Screen {
    let query = uri.query().unwrap_or_default();
    let is_cancelled = session.is_some_and(Session::is_cancelled);
    let problem = match Problem::at(uri.path(), query) {
        // The session knows why the link is refused.
        Problem::TokenInvalid | Problem::TokenNotExists | Problem::TokenExpired if is_cancelled => {
            Problem::Cancelled
        }
        problem => problem,
    };
    let support_code = if problem.facts().has_support_code {
        routes::support_code(query).map(str::to_owned)
    } else {
        None
    };
    Screen::Problem(ProblemScreen {
        problem,
        resumes_at: session.map(resumes_at),
        support_code,
    })
}
