//! One connection over a real socket: its heads, ambiguous requests, and timeouts.

use std::time::Duration;

use tokio::time::Instant;

use super::listen::{GET, Running, rest};

#[tokio::test(start_paused = true)]
async fn closes_connection_without_a_request_head_in_time() {
    let running = Running::start().await;
    let before = Instant::now();
    let answer = rest(running.send("GET / HTTP/1.1\r\nhost:").await).await;
    assert!(!answer.starts_with("HTTP/1.1 200"), "{answer}");
    let waited = before.elapsed();
    assert!(
        waited >= Duration::from_secs(75) && waited < Duration::from_secs(80),
        "{waited:?}"
    );
}

#[tokio::test]
async fn rejects_too_large_request_head() {
    let running = Running::start().await;
    let long = format!(
        "GET / HTTP/1.1\r\nhost: a\r\na: {}\r\n\r\n",
        "a".repeat(17_000)
    );
    let many = format!("GET / HTTP/1.1\r\nhost: a\r\n{}\r\n", "a: b\r\n".repeat(65));
    for head in [long, many] {
        // If much is left unread, the system resets the connection and the response may be lost.
        let answer = rest(running.send(&head).await).await;
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 431 "),
            "{answer}"
        );
    }
    // A link of 8 kB, a cookie of 4 kB and the other headers of a browser.
    let [token, cookie, agent] =
        [("t", 8_000), ("c", 4_096), ("u", 3_000)].map(|(text, length)| text.repeat(length));
    let most = format!(
        "GET /?token={token} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncookie: a={cookie}\r\nuser-agent: {agent}\r\n\r\n"
    );
    let answer = rest(running.send(&most).await).await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}

/// A chunked request is the last of its connection. If it also has a length, hyper removes the
/// length, but a proxy may have gone by it.
#[tokio::test]
async fn closes_connection_after_chunked_request() {
    let running = Running::start().await;
    let post = |headers: &str, body: &str| {
        format!("POST /length HTTP/1.1\r\nhost: a\r\n{headers}\r\n\r\n{body}")
    };
    let chunks = "3\r\nabc\r\n0\r\n\r\n";
    for (request, expected) in [
        (post("content-length: 3", "abc"), &[200, 200, 200][..]),
        (post("Transfer-Encoding: Chunked", chunks), &[200, 200]),
        (
            post("content-length: 3\r\ntransfer-encoding: chunked", chunks),
            &[200, 200],
        ),
        (
            post("transfer-encoding: chunked, identity", chunks),
            &[200, 400],
        ),
    ] {
        // Behind a good request in the same packet, and before another one.
        let answers = rest(
            running
                .send(&format!("{}{request}{GET}", post("content-length: 1", "a")))
                .await,
        )
        .await;
        let statuses: Vec<u16> = answers
            .split("HTTP/1.")
            .skip(1)
            .map(|answer| answer[2..5].parse().unwrap())
            .collect();
        assert_eq!(statuses, expected, "{request}\n{answers}");
    }
}
