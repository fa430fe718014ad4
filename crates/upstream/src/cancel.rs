//! The cancellation step: ends every integration.

use serde::Serialize;
use vincula_domain::bank::TaxId;

use super::{Answer, Call, CallError, Caller, Upstream, envelope};

#[derive(Serialize)]
struct Payload<'a> {
    cpfcnpj: &'a TaxId,
}

impl Upstream {
    /// `POST /cancel-integrations`: ends every integration of the client with this CPF or CNPJ, sent exactly as the
    /// upstream wrote it. Returns no data. Idempotent in its meaning, but never retried.
    ///
    /// # Errors
    /// See [`CallError`]; `Unexpected` if a 2xx response is not JSON.
    pub async fn cancel_integrations(&self, caller: &Caller, cpfcnpj: &TaxId) -> Result<Answer<()>, CallError> {
        self.send(Call::CancelIntegrations, caller, Some(&Payload { cpfcnpj }), envelope::confirmed).await
    }
}
