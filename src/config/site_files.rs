//! Where the built site is.

use std::{env, path::PathBuf};

use leptos::config::LeptosOptions;

use super::from_env;

/// Paths of the built site, which depend on the program's own path, not on settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteFiles {
    /// The folder of cargo-leptos, with `pkg/`, fonts and pictures.
    pub root: PathBuf,
    /// The folder of `islands-react/build.mjs` next to it, with `islands/` and `sandbox/`.
    pub react: PathBuf,
    /// The list of hashed names in `pkg/`, if these are hashed.
    pub hash_file: PathBuf,
    /// The port of `cargo leptos watch`'s reload socket while it runs.
    pub reload_port: Option<u16>,
}

impl SiteFiles {
    /// `site/` next to the program, or else the folder into which cargo-leptos builds:
    /// `target/site`, as seen from `target/debug/vincula`.
    pub fn find() -> Self {
        let beside = env::current_exe()
            .ok()
            .and_then(|exe| exe.parent().map(PathBuf::from))
            .unwrap_or_default();
        let reload_port =
            env::var_os("LEPTOS_WATCH").and_then(|_| from_env("LEPTOS_RELOAD_PORT")?.parse().ok());
        let assembled = beside.join("site");
        let root = if assembled.is_dir() {
            assembled
        } else {
            from_env("LEPTOS_SITE_ROOT").map_or_else(|| beside.join("../site"), PathBuf::from)
        };
        Self {
            react: root.with_file_name("react"),
            root,
            hash_file: beside.join("hash.txt"),
            reload_port,
        }
    }

    /// The options from which Leptos derives the names of the wasm module and its glue code.
    pub fn leptos_options(&self) -> LeptosOptions {
        let mut options = LeptosOptions::builder().output_name("vincula").build();
        options.hash_files = self.reload_port.is_none() && self.hash_file.is_file();
        options.hash_file = self.hash_file.to_string_lossy().into();
        options.site_root = self.root.to_string_lossy().into();
        if let Some(port) = self.reload_port {
            options.reload_port = port.into();
        }
        options
    }
}
