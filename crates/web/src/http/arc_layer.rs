//! Wraps a service in an `Arc`, so that cloning it is cheap.
//!
//! A middleware made from a function clones the inner service for each request, and so does every middleware inside it: a
//! dozen of them clone the innermost handler a dozen times. Behind [`ArcLayer`] each clone is a reference count.

use std::{
    convert::Infallible,
    sync::Arc,
    task::{Context, Poll},
};

use tower::{Layer, Service, ServiceExt, util::Oneshot};

/// The layer, placed inside another one: `.layer((from_fn(log::access), ArcLayer))`.
#[derive(Debug, Clone, Copy)]
pub struct ArcLayer;

/// A service that is cloned when it is called, and not before.
#[derive(Debug)]
pub struct ArcService<S>(Arc<S>);

impl<S> Layer<S> for ArcLayer {
    type Service = ArcService<S>;

    fn layer(&self, inner: S) -> ArcService<S> {
        ArcService(Arc::new(inner))
    }
}

impl<S> Clone for ArcService<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S, R> Service<R> for ArcService<S>
where
    S: Service<R, Error = Infallible> + Clone,
{
    type Response = S::Response;
    type Error = Infallible;
    type Future = Oneshot<S, R>;

    /// Always ready: `call` polls the clone for readiness.
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: R) -> Self::Future {
        S::clone(&self.0).oneshot(request)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::{
        Router,
        body::Body,
        extract::Request,
        middleware::{Next, from_fn},
    };
    use tower::service_fn;

    use super::*;

    /// Counts its clones.
    struct Counted(Arc<AtomicUsize>);

    impl Clone for Counted {
        fn clone(&self) -> Self {
            self.0.fetch_add(1, Ordering::Relaxed);
            Self(Arc::clone(&self.0))
        }
    }

    #[tokio::test]
    async fn however_many_layers_there_are_the_innermost_is_copied_as_often() {
        let mut copies_of_request = Vec::new();
        for layers in [1, 12] {
            let copies = Arc::new(AtomicUsize::new(0));
            let counted = Counted(Arc::clone(&copies));
            let handler = service_fn(move |_: Request| {
                let _held = &counted;
                async { Ok::<_, Infallible>(axum::response::Response::new(Body::from("page"))) }
            });
            let mut router = Router::new().route_service("/", handler);
            for _ in 0..layers {
                router =
                    router.layer((from_fn(async |request: Request, next: Next| next.run(request).await), ArcLayer));
            }
            let built = copies.load(Ordering::Relaxed);
            let response = router.oneshot(Request::get("/").body(Body::empty()).unwrap()).await.unwrap();
            assert_eq!(response.status(), 200);
            copies_of_request.push(copies.load(Ordering::Relaxed) - built);
        }
        assert_eq!(copies_of_request[0], copies_of_request[1]);
    }
}
