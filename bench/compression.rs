//! Measures each encoder on pages given as files: `cargo run --release --example compression -- FILE…`.
//! Prints bytes, and processor time of this thread, through the same layer as the server's.

use std::{convert::Infallible, env, fs, future::ready, time::Duration};

use axum::body::{Body, Bytes, to_bytes};
use http::{Request, Response};
use tower::{Layer, ServiceExt, service_fn};
use tower_http::{CompressionLevel, compression::CompressionLayer};

const ROUNDS: u32 = 300;
const REPEATS: usize = 7;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    for file in env::args().skip(1) {
        let page: Bytes = fs::read(&file).expect("a page").into();
        let (_, plain) = measured(&page, "identity", 0).await;
        println!("{file}: {} bytes plain", page.len());
        for (encoding, levels) in [("gzip", &[1, 2, 3, 4, 6, 9][..]), ("br", &[0, 1, 2, 3, 4, 5, 6, 9])] {
            for level in levels {
                let (bytes, took) = measured(&page, encoding, *level).await;
                println!(
                    "{encoding} {level}: {bytes} bytes, {} us",
                    took.saturating_sub(plain).as_nanos() as f64 / 1e3
                );
            }
        }
    }
}

/// Bytes of a response, and the lowest mean time of several repeats, which has the least noise.
async fn measured(page: &Bytes, encoding: &'static str, level: i32) -> (usize, Duration) {
    let layer = CompressionLayer::new().quality(CompressionLevel::Precise(level));
    let (mut bytes, mut best) = (0, Duration::MAX);
    for _ in 0..REPEATS {
        let began = processor_time();
        for _ in 0..ROUNDS {
            let served = layer.layer(service_fn(|_: Request<Body>| {
                let page = Response::builder().header("content-type", "text/html").body(Body::from(page.clone()));
                ready(Ok::<_, Infallible>(page.expect("a sound answer")))
            }));
            let request = Request::builder().header("accept-encoding", encoding).body(Body::empty()).expect("sound");
            let answer = served.oneshot(request).await.unwrap_or_else(|never| match never {});
            bytes = to_bytes(Body::new(answer.into_body()), usize::MAX).await.expect("a whole page").len();
        }
        best = best.min((processor_time() - began) / ROUNDS);
    }
    (bytes, best)
}

/// The processor time of this process, which has one thread.
fn processor_time() -> Duration {
    let stat = fs::read_to_string("/proc/self/schedstat").expect("Linux keeps it");
    Duration::from_nanos(stat.split(' ').next().and_then(|nanos| nanos.parse().ok()).expect("a number"))
}
