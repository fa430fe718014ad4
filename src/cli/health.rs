//! `vincula health`: the health check for container images, which have no other program for it.

use std::{net::SocketAddr, time::Duration};

use reqwest::{Client, StatusCode};
use vincula_domain::routes::HEALTHZ;

/// Longest time for connection and response.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Whether the process that serves at this address responds to `/healthz` with 200. For an address
/// that means all interfaces, the system connects to loopback.
pub async fn is_alive(listen_addr: SocketAddr) -> bool {
    // reqwest needs a crypto provider. The empty list keeps it from loading certificates, which an
    // image may lack.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let Ok(client) = Client::builder()
        .tls_certs_only([])
        .no_proxy()
        .timeout(TIMEOUT)
        .build()
    else {
        return false;
    };
    let response = client
        .get(format!("http://{}{HEALTHZ}", listen_addr))
        .send()
        .await;
    response.is_ok_and(|response| response.status() == StatusCode::OK)
}

#[cfg(test)]
mod tests {
    use axum::{Router, routing::get};
    use tokio::net::TcpListener;

    use super::*;

    async fn answering(address: &str, status: StatusCode) -> SocketAddr {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route(HEALTHZ, get(async move || status));
        tokio::spawn(async move { axum::serve(listener, router).await });
        address
    }

    #[tokio::test]
    async fn only_status_200_is_healthy() {
        for address in ["127.0.0.1:0", "0.0.0.0:0", "[::]:0"] {
            assert!(is_alive(answering(address, StatusCode::OK).await).await);
        }
        assert!(!is_alive(answering("127.0.0.1:0", StatusCode::SERVICE_UNAVAILABLE).await).await);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let unused = listener.local_addr().unwrap();
        drop(listener);
        assert!(!is_alive(unused).await);
    }
}
