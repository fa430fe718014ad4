//! Success: the upstream learns that the client is done.

use serde::Serialize;
use vincula_domain::token::LinkToken;

use super::{Answer, Call, CallError, Caller, Upstream, envelope};

#[derive(Serialize)]
struct Payload<'a> {
    token: &'a str,
}

impl Upstream {
    /// `POST /success`: tells that the integration is complete; answers nothing. Not idempotent: once per session.
    ///
    /// # Errors
    /// As [`CallError`]; `Unexpected` where a 2xx answer is no JSON.
    pub async fn success(&self, caller: &Caller, token: &LinkToken) -> Result<Answer<()>, CallError> {
        self.send(Call::Success, caller, Some(&Payload { token: token.expose() }), envelope::confirmed).await
    }
}
