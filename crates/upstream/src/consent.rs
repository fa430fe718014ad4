//! Consent: the client authorizes the firm.

use serde::Serialize;

use super::{Answer, Call, CallError, Caller, Id, Upstream, envelope};

#[derive(Serialize)]
struct Payload<'a> {
    customer_id: &'a Id,
}

impl Upstream {
    /// `POST /authorize-customer`: lets the firm read statements; answers nothing. Idempotent in its meaning, but
    /// never repeated by us.
    ///
    /// # Errors
    /// As [`CallError`]; `Unexpected` where a 2xx answer is no JSON.
    pub async fn authorize_customer(&self, caller: &Caller, customer_id: &Id) -> Result<Answer<()>, CallError> {
        self.send(Call::AuthorizeCustomer, caller, Some(&Payload { customer_id }), envelope::confirmed).await
    }
}
