//! What the person is told when something fails: outcome → screen, toast or words (spec §8, design D8).

#[cfg(feature = "ssr")]
mod told;

use std::fmt;

use leptos::server_fn::{
    codec::JsonEncoding,
    error::{FromServerFnError, ServerFnErrorErr},
};

use crate::{
    routes,
    wire::{Failure, Reaction},
};

#[cfg(feature = "ssr")]
pub use told::{Told, tell};

/// The kinds of error screen (spec §2, "Error types"), and two of our own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    TokenNotFound,
    TokenNotExists,
    TokenExpired,
    /// Also stands for any type that the spec does not name.
    TokenInvalid,
    LinkNotExists,
    LinkNotUpdated,
    /// Not of the spec: the link was validated, but the browser has kept no session.
    CookiesBlocked,
    /// Not of the spec: the browser has sent the cookies of different sessions at once.
    TwoSessions,
}

impl Problem {
    pub const ALL: [Self; 8] = [
        Self::TokenNotFound,
        Self::TokenNotExists,
        Self::TokenExpired,
        Self::TokenInvalid,
        Self::LinkNotExists,
        Self::LinkNotUpdated,
        Self::CookiesBlocked,
        Self::TwoSessions,
    ];

    /// Its name in `/error/:type`.
    pub fn slug(self) -> &'static str {
        match self {
            Self::TokenNotFound => "token-not-found",
            Self::TokenNotExists => "token-not-exists",
            Self::TokenExpired => "token-expired",
            Self::TokenInvalid => "token-invalid",
            Self::LinkNotExists => "link-not-exists",
            Self::LinkNotUpdated => "link-not-updated",
            Self::CookiesBlocked => "cookies-blocked",
            Self::TwoSessions => "two-sessions",
        }
    }

    /// Whether it can only come up before anything has been shared.
    pub fn is_of_token(self) -> bool {
        !matches!(self, Self::LinkNotExists | Self::LinkNotUpdated | Self::CookiesBlocked | Self::TwoSessions)
    }

    /// The problem that `/error/:type` names; any other type is a problem with the token.
    pub fn of_slug(slug: &str) -> Self {
        Self::ALL.into_iter().find(|problem| problem.slug() == slug).unwrap_or(Self::TokenInvalid)
    }
}

impl Failure {
    /// Nobody answered: toast and stay.
    pub fn no_reply() -> Self {
        Reaction::NoReply.into()
    }

    /// An error screen.
    pub fn problem(problem: Problem) -> Self {
        Self::go(routes::error(problem))
    }

    /// The same with the support code of the request that failed. An error screen shows it: the id of its own request
    /// would find nothing.
    pub fn of_request(mut self, id: Option<&str>) -> Self {
        if let (Reaction::Navigate { to }, Some(id)) = (&mut self.reaction, id)
            && to.starts_with(routes::ERROR)
        {
            *to = routes::with_code(to, id);
        }
        self.request_id = id.map(str::to_owned);
        self
    }

    /// Another page of ours.
    pub fn go(to: impl Into<String>) -> Self {
        Reaction::Navigate { to: to.into() }.into()
    }
}

impl From<Reaction> for Failure {
    fn from(reaction: Reaction) -> Self {
        Self { reaction, request_id: None }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.reaction)
    }
}

impl std::error::Error for Failure {}

impl FromServerFnError for Failure {
    type Encoder = JsonEncoding;

    /// What the framework could not do. In the browser, a request without an answer is "no reply", and so is an answer
    /// that is not our server's (a proxy's page, while the server behind it restarts); all else is "anything else" of
    /// the catalogue.
    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            ServerFnErrorErr::Request(_) | ServerFnErrorErr::Deserialization(_) => Self::no_reply(),
            _ => Self::problem(Problem::TokenInvalid),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_lead_back_to_their_problem() {
        for problem in Problem::ALL {
            assert_eq!(Problem::of_slug(problem.slug()), problem);
        }
        assert_eq!(Problem::of_slug("whatever"), Problem::TokenInvalid);
    }

    #[test]
    fn a_request_that_nobody_answered_stays_on_the_screen() {
        for error in [ServerFnErrorErr::Request("offline".into()), ServerFnErrorErr::Deserialization("<html>".into())] {
            assert_eq!(Failure::from_server_fn_error(error).reaction, Reaction::NoReply);
        }
        let failure = Failure::from_server_fn_error(ServerFnErrorErr::MissingArg("input".into()));
        assert_eq!(failure.reaction, Reaction::Navigate { to: "/error/token-invalid".into() });
    }

    #[test]
    fn error_screens_get_the_code_of_the_request_that_failed() {
        let code = Some("0123456789ab");
        for (failure, to) in [
            (Failure::problem(Problem::TokenExpired), "/error/token-expired?codigo=0123456789ab"),
            (Failure::go("/integration/widget"), "/integration/widget"),
        ] {
            let failure = failure.of_request(code);
            assert_eq!(failure.reaction, Reaction::Navigate { to: to.into() });
            assert_eq!(failure.request_id.as_deref(), code);
        }
        assert_eq!(Failure::no_reply().of_request(code).reaction, Reaction::NoReply);
    }

    #[test]
    fn failures_cross_as_flat_json() {
        let json = serde_json::to_value(Failure::problem(Problem::TokenExpired)).unwrap();
        assert_eq!(json, serde_json::json!({ "kind": "navigate", "to": "/error/token-expired" }));
    }
}
