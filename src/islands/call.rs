//! Code around calls of server functions that several islands share.

use std::future::pending;

use crate::{
    destination::Destination, failure::Failure, islands::page_module, problem::Problem,
    wire::FromPage,
};

impl Failure {
    /// Whether the same call may succeed later, so that the page stays.
    pub fn can_retry(&self) -> bool {
        matches!(self, Self::NoReply)
    }

    /// Whether it leads to the error screen of an unknown or expired token, with which no call can
    /// succeed.
    pub fn is_unusable_token(&self) -> bool {
        matches!(
            self,
            Self::Navigate {
                to: Destination::Error {
                    problem: Problem::TokenNotExists | Problem::TokenExpired,
                    ..
                }
            }
        )
    }

    /// Carries out the reaction to the failure. Returns once the page can be used again, and never if
    /// it is left or has stopped.
    pub async fn handle(&self) {
        let json = serde_json::to_string(self).expect("texts always have a JSON form");
        page_module::handle_failure(&json).await;
    }

    /// Carries out the reaction, but does not navigate to an error screen, because the page works
    /// without this call and shows the failure itself.
    pub async fn handle_and_stay(&self) {
        let leads_to_error = matches!(
            self,
            Self::Navigate {
                to: Destination::Error { .. }
            }
        );
        if self.can_retry() || leads_to_error {
            page_module::show_toast();
        } else {
            self.handle().await;
        }
    }
}

/// Makes the call of a server function. On a page that has stopped, nothing is sent, and this never
/// returns.
pub async fn call<T>(call: impl Future<Output = T>) -> T {
    if page_module::is_stopped() {
        return pending().await;
    }
    call.await
}

/// The input of an action that needs only the page's session.
pub fn from_page(session: &str) -> FromPage {
    FromPage {
        session: session.to_owned(),
    }
}
