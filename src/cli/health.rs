//! `vincula health`: the health check for container images, which have no other program for it.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};
use vincula_domain::routes::HEALTHZ;

/// Longest time for connection and response.
const PATIENCE: Duration = Duration::from_secs(3);

/// Whether the process that serves at this address responds to `/healthz` with 200.
pub async fn is_alive(listen_addr: SocketAddr) -> bool {
    matches!(timeout(PATIENCE, ask(reachable(listen_addr))).await, Ok(Ok(true)))
}

async fn ask(address: SocketAddr) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET {HEALTHZ} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut status_line = [0; 13];
    stream.read_exact(&mut status_line).await?;
    Ok(status_line == *b"HTTP/1.1 200 ")
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
    use axum::{Router, http::StatusCode, routing::get};
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
        let nobody = listener.local_addr().unwrap();
        drop(listener);
        assert!(!is_alive(nobody).await);
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
