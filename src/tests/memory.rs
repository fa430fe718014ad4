//! Checks that the memory table of docs/operations.md has the numbers of the code, and that its sum
//! is below the limit of every deployment.

use std::fs;

use vincula_upstream::{MAX_BYTES_OF_BODIES, MAX_DELIVERY_ATTEMPTS, background};

use crate::{
    http::{compression::MAX_ANSWER_BYTES, limiter, limits, request_limits},
    server::listen,
    steps::from_upstream::MAX_BYTES_OF_ROWS,
};

const KIB: usize = 1_024;

fn text(path: &str) -> String {
    fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn memory_table_matches_code_and_stays_below_limit() {
    let guide = text("docs/operations.md");
    let section = guide
        .split("## How much memory one replica takes at most")
        .nth(1)
        .unwrap();
    // Each row: its first cell, then the size of one in KiB, how many there may be, and both
    // together in MiB.
    let rows: Vec<(&str, Vec<usize>)> = section
        .split("\n## ")
        .next()
        .unwrap()
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| what | "))
        .map(|line| {
            let cells: Vec<_> = line.trim_matches(['|', ' ']).split(" | ").collect();
            let number = |cell: &&str| cell.replace([',', '*'], "").trim().parse().ok();
            (
                cells[0].trim_matches('*'),
                cells[1..].iter().filter_map(number).collect(),
            )
        })
        .collect();
    let of = |what: &str| {
        let found: Vec<_> = rows
            .iter()
            .filter(|(name, _)| name.starts_with(what))
            .collect();
        assert_eq!(found.len(), 1, "{what}: {found:?}");
        found[0].1.clone()
    };
    let connection = 2 * listen::MAX_HEAD_BYTES
        + 32 * KIB
        + (2 * request_limits::MAX_BODY_BYTES).max(MAX_ANSWER_BYTES);
    // The system takes twice the requested size.
    let buffers = 2 * 2 * listen::SYSTEM_BUFFER_BYTES as usize;
    for (what, bytes) in [
        ("a connection", connection),
        ("what the system keeps of a connection", buffers),
        ("all larger bodies", 2 * MAX_BYTES_OF_BODIES),
    ] {
        assert_eq!(of(what)[0], bytes / KIB, "{what}");
    }
    // The other sizes are measured or estimated and exist only in the guide. The counts come from
    // the code.
    for (what, how_many) in [
        ("a connection", listen::MAX_CONNECTIONS),
        (
            "what the system keeps of a connection",
            listen::MAX_CONNECTIONS,
        ),
        ("a call to the widget API", limits::PERMITS),
        (
            "what the system keeps of a call",
            limits::PERMITS + background::MAX_LOGS + MAX_DELIVERY_ATTEMPTS,
        ),
        ("a log call", background::MAX_LOGS),
        ("an attempt to deliver an item", MAX_DELIVERY_ATTEMPTS),
        ("an item that waits", limits::DELIVERIES),
    ] {
        assert_eq!(of(what)[1], how_many, "{what}");
    }
    const {
        assert!(
            MAX_BYTES_OF_ROWS + 4 * KIB <= MAX_ANSWER_BYTES,
            "a list can be sent"
        )
    };
    assert_eq!(limiter::MAX_KEYS, 50_000);
    let (read, last) = (
        listen::READ_TIMEOUT.as_secs(),
        listen::LAST_READ_TIMEOUT.as_secs(),
    );
    assert!(guide.contains(&format!(
        "for {read} s (`TCP_USER_TIMEOUT`), the server for {last} s after a stop"
    )));

    let mut sum = 0;
    for (what, numbers) in &rows {
        let [each, how_many, together] = numbers[..] else {
            continue;
        };
        assert_eq!((each * how_many).div_ceil(KIB), together, "{what}");
        sum += together;
    }
    let limit = of("the limit")[0];
    assert_eq!(of("all of it"), [sum]);
    assert!(
        sum * 8 <= limit * 7,
        "{sum} of {limit} MiB: an eighth is for what an allocator leaves unused"
    );
    assert!(text("deploy/vincula.service").contains(&format!("\nMemoryMax={limit}M\n")));
    assert!(
        text("deploy/kubernetes/vincula.yaml")
            .contains(&format!("limits: {{ memory: {limit}Mi }}"))
    );
    assert!(text("deploy/prometheus/alerts.yaml").contains(&format!("it is ended at {limit} MiB")));
}
