//! One connection over a real socket: its heads, ambiguous requests, and timeouts.

use std::time::Duration;

use tokio::time::Instant;

use super::listen::{GET, Running, rest};

#[tokio::test]
async fn requests_know_their_peer() {
    let running = Running::start().await;
    let answer = rest(running.send(GET).await).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("127.0.0.1"), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_head_that_does_not_arrive_is_given_up() {
    let running = Running::start().await;
    let before = Instant::now();
    let answer = rest(running.send("GET / HTTP/1.1\r\nhost:").await).await;
    assert!(!answer.starts_with("HTTP/1.1 200"), "{answer}");
    let waited = before.elapsed();
    assert!(waited >= Duration::from_secs(75) && waited < Duration::from_secs(80), "{waited:?}");
}

#[tokio::test]
async fn heads_have_a_largest() {
    let running = Running::start().await;
    let long = format!("GET / HTTP/1.1\r\nhost: a\r\na: {}\r\n\r\n", "a".repeat(17_000));
    let many = format!("GET / HTTP/1.1\r\nhost: a\r\n{}\r\n", "a: b\r\n".repeat(65));
    for head in [long, many] {
        // If much is left unread, the system resets the connection and the response may be lost.
        let answer = rest(running.send(&head).await).await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431 "), "{answer}");
    }
}

/// A link of 8 kB, a cookie of 4 kB and the other headers of a browser.
#[tokio::test]
async fn what_a_browser_sends_at_most_is_no_large_head() {
    let running = Running::start().await;
    let head = format!(
        "GET /?token={} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncookie: a={}\r\nuser-agent: {}\r\n\r\n",
        "t".repeat(8_000),
        "c".repeat(4_096),
        "u".repeat(3_000)
    );
    let answer = rest(running.send(&head).await).await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}

/// The server rejects a request whose end two servers might read differently, or closes the connection behind it. A
/// chunked request is the last of its connection: hyper removes a length beside the coding.
#[tokio::test]
async fn requests_end_in_one_way_or_are_the_last() {
    let running = Running::start().await;
    let post = |headers: &str, body: &str| format!("POST /length HTTP/1.1\r\nhost: a\r\n{headers}\r\n\r\n{body}");
    let chunks = "3\r\nabc\r\n0\r\n\r\n";
    let last = |request: &str| request.contains("hunked");
    for (request, status) in [
        ("GET / HTTP/1.1\r\nhost: a\r\n\r\n".to_owned(), 200),
        ("GET / HTTP/1.0\r\nconnection: keep-alive\r\n\r\n".to_owned(), 200),
        (post("content-length: 3", "abc"), 200),
        (post("transfer-encoding: chunked", chunks), 200),
        (post("Transfer-Encoding: Chunked", chunks), 200),
        (post("transfer-encoding: identity\r\ntransfer-encoding: chunked", chunks), 200),
        (post("transfer-encoding: chunked\r\ntransfer-encoding: chunked", chunks), 200),
        (post("transfer-encoding: gzip, chunked", chunks), 200),
        (post("transfer-encoding: chunked, identity", chunks), 400),
        (post("transfer-encoding: xchunked", chunks), 400),
        (post("content-length: 3\r\ntransfer-encoding: chunked", chunks), 200),
        (post("transfer-encoding: chunked\r\nCONTENT-LENGTH: 3", chunks), 200),
        (post("content-length: 3\r\ntransfer-encoding: chunked\r\ncontent-length: 4", chunks), 200),
    ] {
        // Behind a good request in the same packet, and before another one.
        let answers = rest(running.send(&format!("{}{request}{GET}", post("content-length: 1", "a"))).await).await;
        let statuses: Vec<u16> = answers.split("HTTP/1.").skip(1).map(|answer| answer[2..5].parse().unwrap()).collect();
        let expected = if status == 200 && !last(&request) { vec![200, 200, 200] } else { vec![200, status] };
        assert_eq!(statuses, expected, "{request}\n{answers}");
    }
}

/// Whatever was in the body of an earlier request of the connection, perhaps another client's behind the same proxy.
#[tokio::test]
async fn a_line_of_a_body_changes_nothing_for_the_next_request() {
    let running = Running::start().await;
    let body = "\ncontent-length: 1\n";
    let first = format!("POST /length HTTP/1.1\r\nhost: a\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    let next = "POST /length HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    let answers = rest(running.send(&format!("{first}{next}")).await).await;
    assert!(answers.ends_with("3 bytes") && !answers.contains(" 400 "), "{answers}");
}
