//! Which calls are retried if the connection fails, and how often.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use reqwest::Method;
use tokio::io::AsyncWriteExt;

use super::{
    caller,
    faulty::{listen, read_request},
    make, upstream,
};
use crate::{Call, CallError, NoReplyCause};

const TIMEOUT: Duration = Duration::from_secs(20);

/// A server that closes the connection on the first requests and answers the others. Returns its URL and a counter of
/// requests.
async fn hanging_up_on(first: usize) -> (String, Arc<AtomicUsize>) {
    let (listener, base) = listen().await;
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    tokio::spawn(async move {
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            read_request(&mut socket).await;
            if count.fetch_add(1, SeqCst) >= first {
                let answer = b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 11\r\n\r\n{\"data\":[]}";
                socket.write_all(answer).await.unwrap();
            }
        }
    });
    (base, asked)
}

#[tokio::test]
async fn a_list_whose_connection_fails_is_asked_for_once_more_and_nothing_else_is() {
    for call in Call::ALL {
        let (base, asked) = hanging_up_on(1).await;
        let outcome = make(call, &upstream(&base, TIMEOUT), &caller()).await.map(drop);
        if call.method() == Method::GET {
            assert_eq!((outcome, asked.load(SeqCst)), (Ok(()), 2), "{call:?}");
        } else {
            let cut_off = Err(CallError::NoReply(NoReplyCause::Reset));
            assert_eq!((outcome, asked.load(SeqCst)), (cut_off, 1), "{call:?}");
        }
    }
}

#[tokio::test]
async fn a_list_is_asked_for_twice_and_then_given_up() {
    let (base, asked) = hanging_up_on(2).await;
    let outcome = upstream(&base, TIMEOUT).list_banks(&caller()).await.map(drop);
    assert_eq!((outcome, asked.load(SeqCst)), (Err(CallError::NoReply(NoReplyCause::Reset)), 2));
}

/// If everything fails, the retry budget limits the retries: its reserve is 10 a second over 10 seconds.
#[tokio::test]
async fn an_upstream_that_is_down_is_not_asked_twice_as_much() {
    let (base, asked) = hanging_up_on(usize::MAX).await;
    let upstream = upstream(&base, TIMEOUT);
    for _ in 0..500 {
        assert!(upstream.list_banks(&caller()).await.is_err());
    }
    let more = asked.load(SeqCst) - 500;
    assert!((1..250).contains(&more), "{more} more than asked for");
}
