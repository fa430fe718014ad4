//! The consent step: the client authorizes the firm.

use std::net::IpAddr;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use reqwest::header::{HeaderMap, HeaderName};
use serde::Serialize;

use super::{Answer, Call, CallError, Caller, Id, Upstream, envelope, send::secret};

const CLIENT_ADDRESS: HeaderName = HeaderName::from_static("consent-client-address");
const BROWSER: HeaderName = HeaderName::from_static("consent-browser");
const TEXT_SHA256: HeaderName = HeaderName::from_static("consent-text-sha256");
const PURPOSE: HeaderName = HeaderName::from_static("consent-purpose");

/// A sentence stays readable: only what a header cannot hold is encoded, and the sign of the encoding.
const SENTENCE: &AsciiSet = &CONTROLS.add(b'%');

#[derive(Serialize)]
struct Payload<'a> {
    customer_id: &'a Id,
}

/// What proves a consent, sent as headers beside it. What is unknown is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConsentEvidence {
    /// The client's address.
    pub client_address: Option<IpAddr>,
    /// The client's browser, by its User-Agent.
    pub browser: Option<String>,
    /// SHA-256 of the text that was shown, in hexadecimal digits.
    pub text_sha256: Option<String>,
    /// What the firm said itself that it wants the statements for, where the text has a place for it.
    pub purpose: Option<String>,
}

impl ConsentEvidence {
    fn headers(&self) -> HeaderMap {
        let address = self.client_address.map(|address| (CLIENT_ADDRESS, address.to_string()));
        let browser = self.browser.clone().map(|browser| (BROWSER, browser));
        let text = self.text_sha256.clone().map(|hash| (TEXT_SHA256, hash));
        let purpose = self.purpose.as_ref().map(|text| (PURPOSE, utf8_percent_encode(text, SENTENCE).to_string()));
        // Personal data: all of it stays out of the logs of the HTTP libraries.
        [address, browser, text, purpose].into_iter().flatten().map(|(name, value)| (name, secret(&value))).collect()
    }
}

impl Upstream {
    /// `POST /authorize-customer`: lets the firm read statements. Returns no data. Idempotent in its meaning, but never
    /// retried.
    ///
    /// # Errors
    /// See [`CallError`]; `Unexpected` if a 2xx response is not JSON.
    pub async fn authorize_customer(
        &self,
        caller: &Caller,
        customer_id: &Id,
        evidence: &ConsentEvidence,
    ) -> Result<Answer<()>, CallError> {
        let payload = Payload { customer_id };
        self.send_with_headers(Call::AuthorizeCustomer, caller, Some(&payload), evidence.headers(), envelope::confirmed)
            .await
    }
}
