//! Whether the widget API can be reached at all, for whoever sets the product up. Not one of the nine calls.

use std::{error::Error, time::Duration};

use reqwest::Url;

use super::Upstream;

/// Longest time that somebody waits for the outcome.
const PATIENCE: Duration = Duration::from_secs(15);

impl Upstream {
    /// `HEAD` of the base address, without a token: the HTTP status, whatever it is. Changes nothing anywhere.
    ///
    /// # Errors
    /// Why no answer came, in the words of the libraries below. They name the address, and nothing secret goes out.
    pub async fn probe(&self) -> Result<u16, String> {
        let answer = self.http.head(Url::clone(&self.base)).timeout(PATIENCE).send().await;
        answer.map(|answer| answer.status().as_u16()).map_err(|error| {
            let causes = std::iter::successors(error.source(), |&cause| cause.source());
            causes.last().map_or_else(|| error.to_string(), ToString::to_string)
        })
    }
}
