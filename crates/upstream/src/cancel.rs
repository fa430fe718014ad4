//! The cancellation of everything.

use serde::Serialize;
use vincula_domain::bank::TaxId;

use super::{Answer, Call, CallError, Caller, Upstream, envelope};

#[derive(Serialize)]
struct Payload<'a> {
    cpfcnpj: &'a TaxId,
}

impl Upstream {
    /// `POST /cancel-integrations`: ends every integration of the client whose document it is, which goes back as it
    /// came; answers nothing. Idempotent in its meaning, but never repeated by us.
    ///
    /// # Errors
    /// As [`CallError`]; `Unexpected` where a 2xx answer is no JSON.
    pub async fn cancel_integrations(&self, caller: &Caller, cpfcnpj: &TaxId) -> Result<Answer<()>, CallError> {
        self.send(Call::CancelIntegrations, caller, Some(&Payload { cpfcnpj }), envelope::confirmed).await
    }
}
