//! `vincula health`: the health check for container images, which have no other program for it.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use reqwest::{Client, StatusCode};
use vincula_domain::routes::HEALTHZ;

/// Longest time for connection and response.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Whether the process that serves at this address responds to `/healthz` with 200.
pub async fn is_alive(listen_addr: SocketAddr) -> bool {
    // reqwest needs a provider, and without a list it would look for certificates, which an image may lack.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let Ok(client) = Client::builder().tls_certs_only([]).no_proxy().timeout(TIMEOUT).build() else { return false };
    let response = client.get(format!("http://{}{HEALTHZ}", reachable(listen_addr))).send().await;
    response.is_ok_and(|response| response.status() == StatusCode::OK)
}

/// Replaces an address that means "all interfaces" by loopback.
fn reachable(listen_addr: SocketAddr) -> SocketAddr {
    let ip = match listen_addr.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen_addr.port())
}

#[cfg(test)]
mod tests {
    use axum::{Router, routing::get};
    use tokio::net::TcpListener;

    use super::*;

    async fn answering(status: StatusCode) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route(HEALTHZ, get(async move || status));
        tokio::spawn(async move { axum::serve(listener, router).await });
        address
    }

    #[tokio::test]
    async fn only_an_answer_of_200_is_alive() {
        assert!(is_alive(answering(StatusCode::OK).await).await);
        assert!(!is_alive(answering(StatusCode::SERVICE_UNAVAILABLE).await).await);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let unused = listener.local_addr().unwrap();
        drop(listener);
        assert!(!is_alive(unused).await);
    }

    #[test]
    fn all_addresses_are_asked_on_loopback() {
        for (listens, asked) in
            [("0.0.0.0:80", "127.0.0.1:80"), ("[::]:80", "[::1]:80"), ("192.0.2.1:80", "192.0.2.1:80")]
        {
            assert_eq!(reachable(listens.parse().unwrap()).to_string(), asked);
        }
    }
}
