//! A widget API that leaves every response to its test.

use tokio::{
    io::AsyncReadExt,
    net::{TcpListener, TcpStream},
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
};

/// Starts a server. Returns its URL, and the connection of each request that it has read.
pub(super) async fn server() -> (String, UnboundedReceiver<TcpStream>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let (sender, asked) = unbounded_channel();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let sender = sender.clone();
            tokio::spawn(async move {
                // On a busy machine, the test may have ended, or the client have given up.
                if read_request(&mut socket).await {
                    let _ = sender.send(socket);
                }
            });
        }
    });
    (base, asked)
}

/// Reads a whole request, so that closing the socket afterwards does not reset the connection.
/// Returns false if the client gave up before it had sent everything.
async fn read_request(socket: &mut TcpStream) -> bool {
    let mut request = Vec::new();
    loop {
        let Ok(1..) = socket.read_buf(&mut request).await else {
            return false;
        };
        let text = String::from_utf8_lossy(&request).to_lowercase();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let declared = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        if body.len() >= declared.map_or(0, |length| length.parse().unwrap()) {
            return true;
        }
    }
}
