//! Responses that begin and do not go on.

use std::time::Duration;

use reqwest::Method;
use tokio::{
    io::AsyncWriteExt,
    net::TcpStream,
    sync::mpsc,
    task::JoinSet,
    time::{Instant, timeout},
};

use super::{
    caller,
    faulty::{listen, read_request},
    make, upstream,
};
use crate::{Call, CallError, MAX_BYTES_OF_BODIES, NoReplyCause};

const TIMEOUT: Duration = Duration::from_secs(60);

/// A server that hands out the connection of each request that it has read.
async fn server() -> (String, mpsc::UnboundedReceiver<TcpStream>) {
    let (listener, base) = listen().await;
    let (sender, asked) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let sender = sender.clone();
            tokio::spawn(async move {
                read_request(&mut socket).await;
                let _ = sender.send(socket);
            });
        }
    });
    (base, asked)
}

/// A head that declares a body of `declared` bytes, and the first of them.
async fn begin(socket: &mut TcpStream, declared: usize, bytes: usize) {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {declared}\r\n\r\n");
    socket.write_all(head.as_bytes()).await.unwrap();
    socket.write_all(&vec![b' '; bytes]).await.unwrap();
}

/// Answers the next request with a whole list of so many bytes.
async fn answer(asked: &mut mpsc::UnboundedReceiver<TcpStream>, bytes: usize) {
    let mut socket = asked.recv().await.unwrap();
    begin(&mut socket, bytes, bytes - 11).await;
    socket.write_all(br#"{"data":[]}"#).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_list_that_stops_coming_is_given_up_and_an_order_is_waited_for() {
    for call in Call::ALL {
        let (base, mut asked) = server().await;
        let upstream = upstream(&base, TIMEOUT);
        let stalls = async {
            let mut socket = asked.recv().await.unwrap();
            // The head may take as long as the call.
            tokio::time::sleep(Duration::from_secs(20)).await;
            begin(&mut socket, 100, 10).await;
            socket
        };
        let before = Instant::now();
        let caller = caller();
        let (outcome, _socket) = tokio::join!(make(call, &upstream, &caller), stalls);
        let expected = if call.method() == Method::GET { 30 } else { 60 };
        let timed_out = Err(CallError::NoReply(NoReplyCause::TimedOut));
        assert_eq!((outcome.map(drop), before.elapsed().as_secs()), (timed_out, expected), "{call:?}");
    }
}

#[tokio::test]
async fn a_list_that_stalls_holds_nothing_that_another_needs() {
    let (base, mut asked) = server().await;
    let upstream = upstream(&base, TIMEOUT);
    let (mut stalled, mut sockets) = (JoinSet::new(), Vec::new());
    for _ in 0..100 {
        let upstream = upstream.clone();
        stalled.spawn(async move { upstream.list_accounts(&caller()).await.map(drop) });
        let mut socket = asked.recv().await.unwrap();
        begin(&mut socket, 100_000, 50_000).await;
        sockets.push(socket);
    }
    let caller = caller();
    let served = async { tokio::join!(upstream.list_accounts(&caller), answer(&mut asked, 400_000)).0 };
    assert!(timeout(Duration::from_secs(8), served).await.expect("nobody waits").is_ok());
}

#[tokio::test]
async fn large_bodies_wait_for_memory_and_small_ones_do_not() {
    let (base, mut asked) = server().await;
    let upstream = upstream(&base, TIMEOUT);
    let (mut stalled, mut sockets) = (JoinSet::new(), Vec::new());
    let largest = 512 * 1024;
    for _ in 0..MAX_BYTES_OF_BODIES / largest {
        let upstream = upstream.clone();
        stalled.spawn(async move { upstream.list_accounts(&caller()).await.map(drop) });
        let mut socket = asked.recv().await.unwrap();
        begin(&mut socket, largest, 20_000).await;
        sockets.push(socket);
    }
    while upstream.body_memory.available_permits() > 0 {
        tokio::task::yield_now().await;
    }
    let caller = caller();
    let large = async { tokio::join!(upstream.list_accounts(&caller), answer(&mut asked, 40_000)).0 };
    assert!(timeout(Duration::from_millis(500), large).await.is_err(), "there is no memory for it");
    let (small, ()) = tokio::join!(upstream.list_accounts(&caller), answer(&mut asked, 8_000));
    assert!(small.is_ok());
    stalled.shutdown().await;
    let (large, ()) = tokio::join!(upstream.list_accounts(&caller), answer(&mut asked, largest));
    assert!(large.is_ok(), "their memory is free again");
}
