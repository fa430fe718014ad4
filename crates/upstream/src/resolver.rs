//! Looks up the widget API's name, with a limit on concurrent look-ups. A look-up occupies one of
//! the runtime's threads for blocking work for as long as a name server hangs. Without the limit,
//! look-ups could take all of these threads, and no file could be read.

use std::net::ToSocketAddrs;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::{sync::Semaphore, task::spawn_blocking};

/// Most look-ups at once; further ones wait, within their call's time to connect.
static LOOKUPS: Semaphore = Semaphore::const_new(32);

/// The system's resolver, with the limit.
pub(crate) struct Resolver;

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let permit = LOOKUPS.acquire().await?;
            // The thread keeps the permit: it goes on when its call has given up.
            let found =
                spawn_blocking(move || ((name.as_str(), 0).to_socket_addrs(), permit).0).await??;
            Ok(Box::new(found) as Addrs)
        })
    }
}
