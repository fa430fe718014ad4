//! The list of React's built files that esbuild leaves (`manifest.json`).

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::Deserialize;

use super::Chunk;

/// Where the React islands are.
#[derive(Clone)]
pub enum Manifest {
    /// Read once: names are hashed and do not change while the server runs.
    Fixed(Arc<HashMap<String, Chunk>>),
    /// Read anew for each page, while `cargo leptos watch` runs.
    Watched(PathBuf),
}

/// One entry of the file.
#[derive(Deserialize)]
struct Entry {
    js: String,
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
        let chunks = read(&path)?;
        Ok(if watched { Self::Watched(path) } else { Self::Fixed(Arc::new(chunks)) })
    }

    /// The built files of an island.
    pub fn chunk(&self, name: &str) -> Chunk {
        match self {
            Self::Fixed(chunks) => chunks.get(name).cloned(),
            Self::Watched(path) => read(path).ok().and_then(|mut chunks| chunks.remove(name)),
        }
        .unwrap_or_default()
    }
}

fn read(path: &Path) -> io::Result<HashMap<String, Chunk>> {
    let entries: HashMap<String, Entry> = serde_json::from_slice(&std::fs::read(path)?)?;
    let chunk = |Entry { js, imports, preload, screens, early }| Chunk { js, imports, preload, screens, early };
    Ok(entries.into_iter().map(|(name, entry)| (name, chunk(entry))).collect())
}
