//! Where the built site is.

use std::{env, path::PathBuf};

/// Paths of the built site, which depend on the program's own path, not on settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteFiles {
    /// The folder with `pkg/`, fonts and pictures.
    pub root: PathBuf,
    /// The folder with React's built files: `islands/` and `sandbox/`.
    pub react: PathBuf,
    /// The list of hashed names, if names are hashed.
    pub hash_file: PathBuf,
    /// The port of `cargo leptos watch`'s reload socket while it runs.
    pub reload_port: Option<u16>,
}

impl SiteFiles {
    /// `site/` beside the program, or else the folders into which cargo-leptos and `make dev` build.
    pub fn find() -> Self {
        let beside = env::current_exe().ok().and_then(|exe| exe.parent().map(PathBuf::from)).unwrap_or_default();
        let reload_port = env::var_os("LEPTOS_WATCH").and_then(|_| from_env("LEPTOS_RELOAD_PORT")?.parse().ok());
        let assembled = beside.join("site");
        let (root, react) = if assembled.is_dir() {
            (assembled.clone(), assembled)
        } else {
            // cargo-leptos empties its site folder at each change, so the files that it does not build are elsewhere.
            (from_env("LEPTOS_SITE_ROOT").unwrap_or("target/site".into()).into(), "target/react".into())
        };
        Self { root, react, hash_file: beside.join("hash.txt"), reload_port }
    }
}

#[expect(clippy::disallowed_methods, reason = "this module reads the settings")]
fn from_env(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}
