//! Real HTTP between a test's browser and the router, through the product's own listener.

use std::{future::pending, net::SocketAddr};

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Request, Response},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

use crate::server::listen::{MAX_CONNECTIONS, serve};

/// A router that listens on loopback, until this is dropped.
pub struct Network {
    pub address: SocketAddr,
    http: reqwest::Client,
    server: JoinHandle<bool>,
}

impl Network {
    pub async fn serving(router: Router) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server =
            tokio::spawn(serve(router, listener, MAX_CONNECTIONS, CancellationToken::new(), pending(), pending()));
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy();
        Self { address, http: http.build().unwrap(), server }
    }

    /// Sends a request that would otherwise go to the router.
    pub async fn send(&self, request: Request<Body>) -> Response<Body> {
        let (mut parts, body) = request.into_parts();
        parts.uri = format!("http://{}{}", self.address, parts.uri).parse().unwrap();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        let request = Request::from_parts(parts, body).try_into().unwrap();
        let answer = self.http.execute(request).await.expect("the server answers every request");
        Response::from(answer).map(Body::new)
    }

    /// Sends these bytes as they are, and reads until the server closes the connection.
    pub async fn raw(&self, request: &[u8]) -> String {
        let mut connection = TcpStream::connect(self.address).await.unwrap();
        connection.write_all(request).await.unwrap();
        let mut answer = Vec::new();
        connection.read_to_end(&mut answer).await.unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        self.server.abort();
    }
}
