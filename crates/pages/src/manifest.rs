//! The manifest of React's built files, written by `islands-react/build.mjs`.

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::Deserialize;

use crate::bundle::{IslandBundle, WasmModule};

/// The built files of React and of the page's script.
#[derive(Clone)]
pub enum Manifest {
    /// Read once: names are hashed and do not change while the server runs.
    Fixed(Arc<Built>),
    /// Read anew for each page, while `cargo leptos watch` runs.
    Watched(PathBuf),
}

/// The file's content.
#[derive(Debug, Default, Deserialize)]
pub struct Built {
    islands: HashMap<String, Arc<IslandBundle>>,
    /// The wasm module of pages without Leptos islands.
    pub bridge: WasmModule,
    /// The script that every document has inline.
    pub script: Arc<str>,
    /// The entry's first script, which sends the validation.
    pub begin: Arc<str>,
}

impl Manifest {
    /// Finds the manifest among React's built files.
    ///
    /// # Errors
    /// If the file is missing or not a manifest: React has not been built.
    pub fn load(react: &Path, watched: bool) -> io::Result<Self> {
        let path = react.join("islands/manifest.json");
        let built = read(&path)?;
        Ok(if watched { Self::Watched(path) } else { Self::Fixed(Arc::new(built)) })
    }

    /// Whether what is built may change while the server runs.
    pub fn is_watched(&self) -> bool {
        matches!(self, Self::Watched(_))
    }

    /// What is built now: empty if the file cannot be read any more.
    pub fn built(&self) -> Arc<Built> {
        match self {
            Self::Fixed(built) => Arc::clone(built),
            Self::Watched(path) => Arc::new(read(path).unwrap_or_default()),
        }
    }
}

impl Built {
    /// The built files of an island; empty if there is no such island.
    pub fn island(&self, name: &str) -> Arc<IslandBundle> {
        self.islands.get(name).cloned().unwrap_or_default()
    }
}

fn read(path: &Path) -> io::Result<Built> {
    Ok(serde_json::from_slice(&std::fs::read(path)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_once_and_anew_only_while_they_may_change() {
        let folder = std::env::temp_dir().join(format!("vincula-manifest-{:x}", rand::random::<u64>()));
        std::fs::create_dir_all(folder.join("islands")).unwrap();
        let build = |js: &str| {
            let manifest = format!(
                r#"{{"islands":{{"consent":{{"js":"{js}"}}}},"bridge":{{"js":"b.js","wasm":"b.wasm"}},"begin":"","script":"()"}}"#
            );
            std::fs::write(folder.join("islands/manifest.json"), manifest).unwrap();
        };
        build("/islands/one.js");
        let [fixed, watched] = [false, true].map(|watched| Manifest::load(&folder, watched).unwrap());
        assert_eq!(fixed.built().bridge, WasmModule { js: "b.js".into(), wasm: "b.wasm".into() });
        build("/islands/two.js");
        assert_eq!(fixed.built().island("consent").js, "/islands/one.js");
        assert_eq!(watched.built().island("consent").js, "/islands/two.js");
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(fixed.built().island("consent").js, "/islands/one.js", "nothing is read any more");
        assert!(Manifest::load(&folder, false).is_err(), "a missing manifest stops the start");
        assert!(watched.built().script.is_empty());
        assert_eq!(*fixed.built().island("nothing"), IslandBundle::default());
    }
}
