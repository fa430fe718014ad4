//! Compares the memory table of docs/operations.md with the limits in the code.

use std::{fs, path::PathBuf};

use vincula_upstream::{
    MAX_BYTES_OF_BANK_LISTS, MAX_BYTES_OF_BODIES, MAX_BYTES_OF_ROWS, MAX_DELIVERY_ATTEMPTS, background,
};

use crate::{
    http::{compression::MAX_ANSWER_BYTES, limiter, limits, request_limits},
    server::listen,
};

const KIB: usize = 1_024;

fn text(path: &str) -> String {
    fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// A row: its first cell, then the size of one in KiB and how many there may be.
struct Row {
    what: String,
    numbers: Vec<usize>,
}

fn rows() -> Vec<Row> {
    let guide = text("docs/operations.md");
    let section = guide.split("## How much memory one replica takes at most").nth(1).unwrap().split("\n## ").next();
    let lines = section.unwrap().lines().filter(|line| line.starts_with("| ") && !line.starts_with("| what | "));
    let row = |line: &str| {
        let cells: Vec<_> = line.trim_matches(['|', ' ']).split(" | ").collect();
        let plain = |cell: &&str| cell.replace([',', '*'], "").trim().parse().ok();
        Row { what: cells[0].trim_matches('*').to_owned(), numbers: cells[1..].iter().filter_map(plain).collect() }
    };
    lines.map(row).collect()
}

fn of(what: &str) -> Vec<usize> {
    let rows = rows();
    let mut found = rows.iter().filter(|row| row.what.starts_with(what));
    let row = found.next().unwrap_or_else(|| panic!("no row {what}"));
    assert!(found.next().is_none(), "{what}");
    row.numbers.clone()
}

#[test]
fn what_one_costs_and_how_many_there_may_be_is_the_codes() {
    let connection = 2 * listen::MAX_HEAD_BYTES + 32 * KIB + (2 * request_limits::MAX_BODY_BYTES).max(MAX_ANSWER_BYTES);
    let calls = limits::PERMITS;
    for (what, bytes, how_many) in [
        ("a connection", connection, listen::MAX_CONNECTIONS),
        // The system takes twice the requested size.
        (
            "what the system keeps of a connection",
            2 * 2 * listen::SYSTEM_BUFFER_BYTES as usize,
            listen::MAX_CONNECTIONS,
        ),
        ("a call to the widget API", 88 * KIB, calls),
        ("all larger bodies", 2 * MAX_BYTES_OF_BODIES, 1),
        ("what the system keeps of a call", 128 * KIB, calls + background::MAX_LOGS + MAX_DELIVERY_ATTEMPTS),
        ("a log call", 48 * KIB, background::MAX_LOGS),
        ("an attempt to deliver an item", 48 * KIB, MAX_DELIVERY_ATTEMPTS),
        ("an item that waits", 4 * KIB, limits::DELIVERIES),
        ("a thread that renders a page", 2_048 * KIB, 8),
        ("all cached bank lists", MAX_BYTES_OF_BANK_LISTS, 1),
    ] {
        assert_eq!(of(what)[..2], [bytes / KIB, how_many], "{what}");
    }
    const { assert!(MAX_BYTES_OF_ROWS + 4 * KIB <= MAX_ANSWER_BYTES, "a list can be sent") };
    let guide = text("docs/operations.md");
    assert_eq!(limiter::MAX_KEYS, 50_000);
    let seconds = (listen::READ_TIMEOUT.as_secs(), listen::LAST_READ_TIMEOUT.as_secs());
    assert!(
        guide.contains(&format!(
            "for {} s (`TCP_USER_TIMEOUT`), the server for {} s after a stop",
            seconds.0, seconds.1
        ))
    );
}

#[test]
fn all_of_it_is_below_the_limit_of_every_deployment() {
    let mut sum = 0;
    for row in rows().iter().filter(|row| row.numbers.len() == 3) {
        let [each, how_many, together] = row.numbers[..] else { unreachable!() };
        assert_eq!((each * how_many).div_ceil(KIB), together, "{}", row.what);
        sum += together;
    }
    let limit = of("the limit")[0];
    assert_eq!(of("all of it"), [sum]);
    assert!(sum * 8 <= limit * 7, "{sum} of {limit} MiB: an eighth is for what an allocator leaves unused");
    assert!(text("deploy/vincula.service").contains(&format!("\nMemoryMax={limit}M\n")));
    assert!(text("deploy/kubernetes/vincula.yaml").contains(&format!("limits: {{ memory: {limit}Mi }}")));
    assert!(text("deploy/prometheus/alerts.yaml").contains(&format!("it is ended at {limit} MiB")));
}
