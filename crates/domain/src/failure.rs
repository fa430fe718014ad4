//! Constructors of [`Failure`].

use crate::{
    problem::Problem,
    routes,
    wire::{Failure, Reaction},
};

impl Failure {
    /// There was no response: toast and stay.
    pub fn no_reply() -> Self {
        Reaction::NoReply.into()
    }

    /// Navigates to an error screen.
    pub fn problem(problem: Problem) -> Self {
        Self::navigate(routes::error(problem))
    }

    /// Adds the support code of the failed request. The error screen shows it instead of the id of its own request, for
    /// which the log has no error.
    pub fn with_request_id(self, id: Option<&str>) -> Self {
        let Some(id) = id else { return self };
        Self { request_id: Some(id.to_owned()), ..self.flagged(&routes::code(id)) }
    }

    /// Adds a flag to the address of an error screen.
    pub fn flagged(mut self, flag: &str) -> Self {
        if let Reaction::Navigate { to } = &mut self.reaction
            && to.starts_with(routes::ERROR)
        {
            *to = routes::with_flag(to, flag);
        }
        self
    }

    /// Navigates to another page of the product.
    pub fn navigate(to: impl Into<String>) -> Self {
        Reaction::Navigate { to: to.into() }.into()
    }
}

impl From<Reaction> for Failure {
    fn from(reaction: Reaction) -> Self {
        Self { reaction, request_id: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_screens_get_the_code_of_the_request_that_failed() {
        let code = Some("0123456789ab");
        for (failure, to) in [
            (Failure::problem(Problem::TokenExpired), "/error/token-expired?codigo=0123456789ab"),
            (Failure::navigate("/integration/widget"), "/integration/widget"),
        ] {
            let failure = failure.with_request_id(code);
            assert_eq!(failure.reaction, Reaction::Navigate { to: to.into() });
            assert_eq!(failure.request_id.as_deref(), code);
        }
        assert_eq!(Failure::no_reply().with_request_id(code).reaction, Reaction::NoReply);
    }

    #[test]
    fn failures_cross_as_flat_json() {
        let json = serde_json::to_value(Failure::problem(Problem::TokenExpired)).unwrap();
        assert_eq!(json, serde_json::json!({ "kind": "navigate", "to": "/error/token-expired" }));
    }
}
