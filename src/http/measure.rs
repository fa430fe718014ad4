//! Counts and times every request, by its route's pattern.

use axum::{
    extract::{MatchedPath, Request, State},
    http::{Method, StatusCode},
    middleware::Next,
    response::Response,
};
use vincula_domain::routes;
use vincula_telemetry::{Cause, Metrics};

use super::journey;

/// Folders of static files, which the router matches without a pattern.
const FILES: [&str; 5] = ["/pkg", routes::ISLANDS, "/fonts", "/illustrations", routes::THEME];

/// Counts the request, and the step that it has reached, when the response's head is ready.
pub async fn count(State(metrics): State<Metrics>, request: Request, next: Next) -> Response {
    let (method, route) = (request.method().clone(), pattern(&request));
    let timed = metrics.request(name_of(&method), route.clone());
    let (response, cause) = Cause::scope(next.run(request)).await;
    timed.with_cause(cause).finish(class_of(response.status()));
    if let Some(step) = journey::reached(&method, &route, response.status(), response.headers()) {
        metrics.count_step(step);
    }
    response
}

/// The pattern that the router matched, or the folder of a file. Any other path is `other`, whatever was typed.
fn pattern(request: &Request) -> String {
    if let Some(matched) = request.extensions().get::<MatchedPath>() {
        return matched.as_str().to_owned();
    }
    let path = request.uri().path();
    let below = |folder: &&str| path.strip_prefix(*folder).is_some_and(|rest| rest.starts_with('/'));
    FILES.into_iter().find(|folder| below(folder)).unwrap_or("other").to_owned()
}

fn name_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        _ => "other",
    }
}

fn class_of(status: StatusCode) -> &'static str {
    match status.as_u16() {
        100..=199 => "1xx",
        200..=299 => "2xx",
        300..=399 => "3xx",
        400..=499 => "4xx",
        _ => "5xx",
    }
}
