//! The success step: reports that the client is done.

use serde::Serialize;
use vincula_domain::token::LinkToken;

use super::{Answer, Call, CallError, Caller, Upstream, envelope};

#[derive(Serialize)]
struct Payload<'a> {
    token: &'a str,
}

impl Upstream {
    /// `POST /success`: reports that the integration is complete. Returns no data. Not idempotent: callers send it once
    /// per linking (docs/decisions/0010).
    ///
    /// # Errors
    /// See [`CallError`]; `Unexpected` if a 2xx response is not JSON.
    pub async fn success(&self, caller: &Caller, token: &LinkToken) -> Result<Answer<()>, CallError> {
        self.send(Call::Success, caller, Some(&Payload { token: token.expose() }), envelope::confirmed).await
    }
}
