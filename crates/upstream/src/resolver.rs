//! Looks up the widget API's name, a few times at most at once. A look-up occupies one of the runtime's threads for
//! blocking work, for as long as a name server hangs: without the limit none would be left that reads files.

use std::{net::ToSocketAddrs, sync::Arc};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::{sync::Semaphore, task::spawn_blocking};

/// Most look-ups at once; further ones wait, within their call's time to connect.
pub const MAX_LOOKUPS: usize = 32;

/// The system's resolver, with the limit.
pub struct Resolver(Arc<Semaphore>);

impl Default for Resolver {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MAX_LOOKUPS)))
    }
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let lookups = Arc::clone(&self.0);
        Box::pin(async move {
            let permit = lookups.acquire_owned().await?;
            // The thread keeps the permit: it goes on when its call has given up.
            let found = spawn_blocking(move || ((name.as_str(), 0).to_socket_addrs(), permit).0).await??;
            Ok(Box::new(found) as Addrs)
        })
    }
}
