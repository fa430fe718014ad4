//! Checks whether the widget API is reachable, for the operator who installs the product. Not one of the nine calls.

use std::{error::Error, time::Duration};

use reqwest::Url;

use super::Upstream;

impl Upstream {
    /// Sends `HEAD` to the base URL without credentials and returns the HTTP status, whatever it is, if it comes in time. No
    /// side effects.
    ///
    /// # Errors
    /// Why there was no response, in the words of the HTTP libraries. They may name the address; the request holds no
    /// secret.
    pub async fn probe(&self, patience: Duration) -> Result<u16, String> {
        let answer = self.http.head(Url::clone(&self.base)).timeout(patience).send().await;
        answer.map(|answer| answer.status().as_u16()).map_err(|error| {
            let causes = std::iter::successors(error.source(), |&cause| cause.source());
            causes.last().map_or_else(|| error.to_string(), ToString::to_string)
        })
    }
}
