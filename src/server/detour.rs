//! Where the pages beside the journey can lead: error screens, the accessibility statement, and paths that do not exist.

use axum::http::{HeaderMap, Uri, header};
use vincula_domain::{
    problem::Problem,
    routes::{self, Page, has_flag},
    wire::WidgetType,
};
use vincula_pages::{Recourse, Shared, View};

use crate::session::{
    Session, Stage,
    guard::{is_return, resumes_at},
};

/// What an error screen can say and offer. `session`: the session that the error is of.
pub fn recourse(problem: Problem, query: &str, session: Option<&Session>) -> Recourse {
    let outage = problem == Problem::TokenInvalid && has_flag(query, routes::OUTAGE);
    Recourse { shared: shared(problem, query, session), resumes_at: session.map(resumes_at), outage }
}

/// Without a session only the validation of a link can have failed, which shares nothing, unless the client returns from
/// the bank, or the session has ended. In a session, a link for new accounts has shared nothing before its consent.
fn shared(problem: Problem, query: &str, session: Option<&Session>) -> Shared {
    let Some(session) = session else {
        let may_have = problem == Problem::TokenNotFound || is_return(query);
        return if may_have { Shared::AsBefore } else { Shared::Nothing };
    };
    let is_first = session.stage == Stage::Arrived && session.client.widget_type == WidgetType::New;
    match session.progress {
        _ if session.is_cancelled() => Shared::Unsaid,
        progress if is_first && !progress.linked && !is_return(query) => Shared::Nothing,
        _ => Shared::AsBefore,
    }
}

/// The way back from the accessibility statement, which every page links to, and from a path that does not exist.
pub fn back(view: View, headers: &HeaderMap, session: Option<&Session>) -> Option<String> {
    let before = || came_from(headers, session.is_some());
    let home = || session.map(|session| resumes_at(session).to_owned());
    match view {
        View::Accessibility => before().or_else(home),
        View::NotFound => home(),
        _ => None,
    }
}

/// The page of ours that had the link. Without a session, only an error screen can be shown again.
fn came_from(headers: &HeaderMap, has_session: bool) -> Option<String> {
    let from: Uri = headers.get(header::REFERER)?.to_str().ok()?.parse().ok()?;
    let path = from.path();
    match Page::at(path)? {
        Page::Error => {
            let slug = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            Some(routes::error_with(Problem::of_slug(slug), from.query().unwrap_or_default()))
        }
        page if page.needs_session() && has_session => Some(page.path().to_owned()),
        _ => None,
    }
}
