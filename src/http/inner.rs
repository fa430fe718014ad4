//! What a layer calls: the next layer, or the router inside.
//!
//! Layers are functions of a request and an [`Inner`]. Chained with [`Then`] they are one future and one service, where
//! axum would make a service and two allocations for each layer (docs/decisions/0043-one-layer.md).

use std::future::Future;

use axum::{extract::Request, middleware::Next, response::Response};

/// The inside of a layer.
pub trait Inner: Send {
    fn run(self, request: Request) -> impl Future<Output = Response> + Send;
}

/// A layer with its inside: `Then(|request| log::access(request, next))`.
pub struct Then<F>(pub F);

impl<F, R> Inner for Then<F>
where
    F: FnOnce(Request) -> R + Send,
    R: Future<Output = Response> + Send,
{
    fn run(self, request: Request) -> impl Future<Output = Response> + Send {
        (self.0)(request)
    }
}

impl Inner for Next {
    fn run(self, request: Request) -> impl Future<Output = Response> + Send {
        Self::run(self, request)
    }
}
