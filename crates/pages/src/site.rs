//! What was built and set once, and is the same in every document.

use leptos::config::LeptosOptions;

use crate::{bundle::WasmModule, manifest::Manifest, theme::Theme};

/// What every document draws on.
#[derive(Clone)]
pub struct Site {
    pub assets: Assets,
    pub manifest: Manifest,
    pub theme: Theme,
    /// The origin of Connect's frame, where it is not our own.
    pub connect_origin: Option<String>,
}

/// Addresses of the style sheet and of the module with the Leptos islands.
#[derive(Debug, Clone)]
pub struct Assets {
    pub css: String,
    /// The Leptos islands, with what the bridge does for every page.
    pub module: WasmModule,
    /// Set while `cargo leptos watch` runs: pages reload by themselves.
    pub reload: Option<LeptosOptions>,
}
