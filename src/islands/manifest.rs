//! The list of React's built files that esbuild leaves (`manifest.json`).

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::Deserialize;

use super::{Chunk, WasmModule};

/// The entry of the bridge's own wasm module.
const BRIDGE: &str = "bridge";

/// Where the React islands are.
#[derive(Clone)]
pub enum Manifest {
    /// Read once: names are hashed and do not change while the server runs.
    Fixed(Arc<HashMap<String, Entry>>),
    /// Read anew for each page, while `cargo leptos watch` runs.
    Watched(PathBuf),
}

/// One entry of the file.
#[derive(Debug, Clone, Deserialize)]
pub struct Entry {
    js: String,
    /// The bridge only.
    wasm: Option<String>,
    #[serde(default)]
    imports: Vec<String>,
    #[serde(default)]
    preload: Vec<String>,
    #[serde(default)]
    screens: HashMap<String, String>,
    early: Option<String>,
}

impl Manifest {
    /// Finds the manifest among React's built files.
    ///
    /// # Errors
    /// Where the file is missing or not a manifest: React has not been built.
    pub fn load(islands: &Path, watched: bool) -> io::Result<Self> {
        let path = islands.join("manifest.json");
        let entries = read(&path)?;
        Ok(if watched { Self::Watched(path) } else { Self::Fixed(Arc::new(entries)) })
    }

    /// The built files of an island.
    pub fn chunk(&self, name: &str) -> Chunk {
        let chunk = |Entry { js, imports, preload, screens, early, .. }| Chunk { js, imports, preload, screens, early };
        self.entry(name).map(chunk).unwrap_or_default()
    }

    /// The bridge's own module.
    pub fn bridge(&self) -> WasmModule {
        let module = |Entry { js, wasm, .. }| WasmModule { js, wasm: wasm.unwrap_or_default() };
        self.entry(BRIDGE).map(module).unwrap_or_default()
    }

    fn entry(&self, name: &str) -> Option<Entry> {
        match self {
            Self::Fixed(entries) => entries.get(name).cloned(),
            Self::Watched(path) => read(path).ok().and_then(|mut entries| entries.remove(name)),
        }
    }
}

fn read(path: &Path) -> io::Result<HashMap<String, Entry>> {
    Ok(serde_json::from_slice(&std::fs::read(path)?)?)
}
