//! The consent step: the client authorizes the firm.

use serde::Serialize;

use super::{Answer, Call, CallError, Caller, Id, Upstream, envelope};

#[derive(Serialize)]
struct Payload<'a> {
    customer_id: &'a Id,
}

impl Upstream {
    /// `POST /authorize-customer`: lets the firm read statements. Returns no data. Idempotent in its meaning, but never
    /// retried.
    ///
    /// # Errors
    /// See [`CallError`]; `Unexpected` if a 2xx response is not JSON.
    pub async fn authorize_customer(&self, caller: &Caller, customer_id: &Id) -> Result<Answer<()>, CallError> {
        self.send(Call::AuthorizeCustomer, caller, Some(&Payload { customer_id }), envelope::confirmed).await
    }
}
