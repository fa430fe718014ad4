//! The list of React's built files that esbuild leaves (`manifest.json`).

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::Deserialize;

use crate::bundle::{IslandBundle, WasmModule};

/// The entry of the bridge's own wasm module.
const BRIDGE: &str = "bridge";

/// Where the React islands are.
#[derive(Clone)]
pub enum Manifest {
    /// Read once: names are hashed and do not change while the server runs.
    Fixed(Arc<HashMap<String, Built>>),
    /// Read anew for each page, while `cargo leptos watch` runs.
    Watched(PathBuf),
}

/// What was built for one island.
#[derive(Debug, Clone, Default)]
pub struct Built {
    chunk: Arc<IslandBundle>,
    /// The bridge's own.
    module: WasmModule,
}

/// One entry of the file.
#[derive(Deserialize)]
struct Entry {
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
    pub fn load(react: &Path, watched: bool) -> io::Result<Self> {
        let path = react.join("islands/manifest.json");
        let entries = read(&path)?;
        Ok(if watched { Self::Watched(path) } else { Self::Fixed(Arc::new(entries)) })
    }

    /// The built files of an island.
    pub fn chunk(&self, name: &str) -> Arc<IslandBundle> {
        self.built(name).chunk
    }

    /// The bridge's own module.
    pub fn bridge(&self) -> WasmModule {
        self.built(BRIDGE).module
    }

    /// Nothing, where there is no such island.
    fn built(&self, name: &str) -> Built {
        let built = match self {
            Self::Fixed(entries) => entries.get(name).cloned(),
            Self::Watched(path) => read(path).ok().and_then(|mut entries| entries.remove(name)),
        };
        built.unwrap_or_default()
    }
}

impl From<Entry> for Built {
    fn from(Entry { js, wasm, imports, preload, screens, early }: Entry) -> Self {
        let module = wasm.map(|wasm| WasmModule { js: js.clone(), wasm }).unwrap_or_default();
        Self { chunk: Arc::new(IslandBundle { js, imports, preload, screens, early }), module }
    }
}

fn read(path: &Path) -> io::Result<HashMap<String, Built>> {
    let entries: HashMap<String, Entry> = serde_json::from_slice(&std::fs::read(path)?)?;
    Ok(entries.into_iter().map(|(name, entry)| (name, entry.into())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_once_and_anew_only_while_they_may_change() {
        let folder = std::env::temp_dir().join(format!("vincula-manifest-{:x}", rand::random::<u64>()));
        std::fs::create_dir_all(folder.join("islands")).unwrap();
        let build = |js: &str| {
            let manifest = format!(r#"{{"consent":{{"js":"{js}"}},"bridge":{{"js":"b.js","wasm":"b.wasm"}}}}"#);
            std::fs::write(folder.join("islands/manifest.json"), manifest).unwrap();
        };
        build("/islands/one.js");
        let [fixed, watched] = [false, true].map(|watched| Manifest::load(&folder, watched).unwrap());
        assert_eq!(fixed.bridge(), WasmModule { js: "b.js".into(), wasm: "b.wasm".into() });
        build("/islands/two.js");
        assert_eq!(fixed.chunk("consent").js, "/islands/one.js");
        assert_eq!(watched.chunk("consent").js, "/islands/two.js");
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(fixed.chunk("consent").js, "/islands/one.js", "nothing is read any more");
        assert!(Manifest::load(&folder, false).is_err(), "what was not built is told at the start");
        assert_eq!(*fixed.chunk("nothing"), IslandBundle::default());
    }
}
