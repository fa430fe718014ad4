//! Requests whose body does not arrive, over real sockets.

use std::{future::pending, sync::Arc};

use axum::{
    extract::{Request, State},
    middleware::map_request_with_state,
};
use serde_json::json;
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};

use crate::{server::listen, tests::TestApp};

/// More than the calls that may be made at once.
const UNFINISHED: u32 = 3;

const HEAD: &str = "POST /api/list_accounts HTTP/1.1\r\nhost: a\r\nsec-fetch-site: same-origin\r\n\
                    content-type: application/json\r\ncontent-length: 100\r\n\r\n";

#[tokio::test]
async fn missing_bodies_stop_no_other_client() {
    let mut app = TestApp::entered(json!({})).await;
    app.limit_calls(2);
    let arrived = Arc::new(Semaphore::new(0));
    let count = async |State(arrived): State<Arc<Semaphore>>, request: Request| {
        arrived.add_permits(1);
        request
    };
    let counted = map_request_with_state(Arc::clone(&arrived), count);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = app.router.clone().layer(counted);
    tokio::spawn(listen::serve(router, listener, pending(), pending()));
    let mut open = Vec::new();
    for _ in 0..UNFINISHED {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(HEAD.as_bytes()).await.unwrap();
        open.push(stream);
    }
    let _ = arrived.acquire_many(UNFINISHED).await.unwrap();
    app.enter().await;
    app.done("list_accounts", json!({})).await;
}
