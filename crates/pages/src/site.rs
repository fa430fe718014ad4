//! Built files and settings, the same for every document.

use leptos::config::LeptosOptions;

use crate::{bundle::WasmModule, manifest::Manifest};

/// What every document is rendered with.
#[derive(Clone)]
pub struct Site {
    pub assets: Assets,
    pub manifest: Manifest,
    /// The origin of Connect's frame, if it is not our own.
    pub connect_origin: Option<String>,
    /// How browsers reach us: `https`, or `http` for the sandbox on loopback.
    pub scheme: &'static str,
}

/// Addresses of the style sheet and of the module with the Leptos islands.
#[derive(Debug, Clone)]
pub struct Assets {
    pub css: String,
    /// The module with the Leptos islands.
    pub module: WasmModule,
    /// Set while `cargo leptos watch` runs: pages reload automatically.
    pub reload: Option<LeptosOptions>,
}
