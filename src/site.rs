//! What is the same for every document: settings, and the built files, which are the manifest from
//! `islands-react/build.mjs` and the bundles of React's islands with their prerendered screens.

use std::{
    collections::HashMap,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    slice,
    sync::Arc,
};

use anyhow::Context;
use html_escape::encode_quoted_attribute_to_string;
use leptos::config::LeptosOptions;
use serde::Deserialize;
use strum::{IntoStaticStr, VariantArray};

use crate::{
    config::SiteFiles,
    routes::{FONT, ILLUSTRATIONS, PKG, ROOT_FILES},
};

/// Settings and files for every document.
#[derive(Clone)]
pub struct Site {
    pub manifest: Manifest,
    /// The options by which Leptos finds the wasm module.
    pub options: LeptosOptions,
    /// The origin of Connect's frame, if it is another origin.
    pub connect_origin: Option<String>,
    /// The scheme by which browsers reach the server: `https`, or `http` for the sandbox on
    /// loopback.
    pub scheme: &'static str,
}

/// The built files of React and of the page's module.
#[derive(Clone)]
pub enum Manifest {
    /// Read once: names are hashed and do not change while the server runs.
    Fixed(Arc<BuiltFiles>),
    /// Read again for each page, while `cargo leptos watch` runs.
    Watched(PathBuf),
}

/// The file's content, with every React island.
#[derive(Debug, Deserialize)]
pub struct BuiltFiles {
    islands: HashMap<String, Arc<IslandBundle>>,
    /// The address of the style sheet.
    pub css: String,
    /// The address of the page's module, which every document but the entry loads.
    pub page: String,
    /// The script of the entry, which sends the validation, and then shows the step.
    pub entry: Arc<str>,
    /// The script of documents with islands that shows a card if the page's module does not load.
    pub missing: Arc<str>,
}

/// A React island, named as its folder in `islands-react/src`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum React {
    Consent,
    BankForm,
    Connect,
    Update,
}

impl React {
    /// Its name in the manifest, and in `[data-react]` of its host.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl Manifest {
    /// Finds the manifest among React's built files, and opens every file that a document names. While
    /// `cargo leptos watch` runs, files are replaced, so that only the manifest is read.
    pub fn load(files: &SiteFiles) -> anyhow::Result<Self> {
        let path = files.react.join("islands/manifest.json");
        let built = read(&path).with_context(|| path.display().to_string())?;
        if files.reload_port.is_some() {
            return Ok(Self::Watched(path));
        }
        for file in named_files(files, &built)? {
            File::open(&file).with_context(|| file.display().to_string())?;
        }
        Ok(Self::Fixed(Arc::new(built)))
    }

    /// The current manifest. A build replaces the file in one step, so it can be read while `cargo
    /// leptos watch` runs.
    pub fn built(&self) -> Arc<BuiltFiles> {
        match self {
            Self::Fixed(built) => Arc::clone(built),
            Self::Watched(path) => {
                Arc::new(read(path).expect("a build leaves a complete manifest"))
            }
        }
    }
}

impl BuiltFiles {
    /// The built files of a React island.
    pub fn island(&self, island: React) -> &Arc<IslandBundle> {
        &self.islands[island.name()]
    }
}

/// Every file that a document names.
fn named_files(files: &SiteFiles, built: &BuiltFiles) -> anyhow::Result<Vec<PathBuf>> {
    let in_react = |url: &str| files.react.join(url.trim_start_matches('/'));
    let in_root = |url: &str| files.root.join(url.trim_start_matches('/'));
    let islands = built.islands.values().flat_map(|island| island.modules());
    let mut named: Vec<_> = islands.map(|url| in_react(&url)).collect();
    named.extend([&*built.css, &*built.page].map(in_react));
    named.extend(ROOT_FILES.map(in_root));
    named.push(in_root(FONT));
    let pictures = in_root(ILLUSTRATIONS);
    for picture in fs::read_dir(&pictures).with_context(|| pictures.display().to_string())? {
        named.push(picture?.path());
    }
    let hashes = if files.leptos_options().hash_files {
        fs::read_to_string(&files.hash_file)
            .with_context(|| files.hash_file.display().to_string())?
    } else {
        String::new()
    };
    for kind in ["js", "wasm"] {
        // The line of a file: "wasm: JuVhUeuolQ7GQHo4QvBDng".
        let hash = hashes
            .lines()
            .find_map(|line| line.strip_prefix(kind)?.strip_prefix(": "))
            .map_or_else(String::new, |hash| format!(".{hash}"));
        named.push(in_root(&format!("{PKG}/vincula{hash}.{kind}")));
    }
    Ok(named)
}

/// Reads a manifest. Fails if it lacks a React island.
fn read(path: &Path) -> io::Result<BuiltFiles> {
    let built: BuiltFiles = serde_json::from_slice(&std::fs::read(path)?)?;
    let is_missing = |island: &&React| !built.islands.contains_key(island.name());
    match React::VARIANTS.iter().find(is_missing) {
        Some(island) => Err(io::Error::other(format!("{} is missing", island.name()))),
        None => Ok(built),
    }
}

/// The built files of one React island.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
pub struct IslandBundle {
    /// Address of the module that exports `mount`.
    pub js: String,
    /// Its static imports, preloaded with it: otherwise React would start only after the wasm has
    /// run.
    #[serde(default)]
    pub imports: Vec<String>,
    /// Its dynamic imports.
    #[serde(default)]
    pub preload: Vec<String>,
    /// The screen prerendered at build time, with `{{name}}` in the place of each text of the
    /// session.
    #[serde(default)]
    pub screen: String,
}

impl IslandBundle {
    /// The addresses of all its modules.
    pub fn modules(&self) -> Vec<String> {
        [slice::from_ref(&self.js), &self.imports, &self.preload].concat()
    }

    /// The prerendered screen with the escaped texts filled in. Placeholders occur only in text and
    /// in quoted attributes.
    pub fn filled(&self, texts: &[(&str, &str)]) -> String {
        let mut rest = self.screen.as_str();
        let mut filled = String::with_capacity(rest.len());
        // In one pass, so that a text that looks like a placeholder is not replaced.
        while let Some((before, (name, after))) = rest
            .split_once("{{")
            .and_then(|(b, a)| Some((b, a.split_once("}}")?)))
        {
            filled.push_str(before);
            if let Some((_, text)) = texts.iter().find(|(known, _)| *known == name) {
                encode_quoted_attribute_to_string(text, &mut filled);
            }
            rest = after;
        }
        filled + rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A built site in a folder of its own, whose React islands have this module.
    struct Built(SiteFiles);

    impl Drop for Built {
        fn drop(&mut self) {
            fs::remove_dir_all(self.0.root.parent().unwrap()).unwrap();
        }
    }

    impl Built {
        fn new(islands: impl IntoIterator<Item = React>, reload_port: Option<u16>) -> Self {
            let folder =
                std::env::temp_dir().join(format!("vincula-site-{:x}", rand::random::<u64>()));
            let built = Self(SiteFiles {
                root: folder.join("site"),
                react: folder.join("react"),
                hash_file: folder.join("hash.txt"),
                reload_port,
            });
            built.write_manifest(islands, "/islands/one.js");
            for file in ROOT_FILES.into_iter().chain([
                FONT,
                "/illustrations/default.svg",
                "/pkg/vincula.a.js",
                "/pkg/vincula.b.wasm",
            ]) {
                Self::write(&folder.join("site").join(&file[1..]), "");
            }
            Self::write(&built.0.hash_file, "js: a\nwasm: b\n");
            for file in ["one.js", "page.js", "page.css"] {
                Self::write(&folder.join("react/islands").join(file), "");
            }
            built
        }

        fn write_manifest(&self, islands: impl IntoIterator<Item = React>, js: &str) {
            let islands: HashMap<_, _> = islands
                .into_iter()
                .map(|island| (island.name(), serde_json::json!({ "js": js })))
                .collect();
            let manifest = serde_json::json!({
                "islands": islands, "css": "/islands/page.css", "page": "/islands/page.js",
                "entry": "()", "missing": "",
            });
            let path = self.0.react.join("islands/manifest.json");
            Self::write(&path, &manifest.to_string());
        }

        fn write(path: &Path, content: &str) {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
    }

    fn all() -> impl Iterator<Item = React> + Clone {
        React::VARIANTS.iter().copied()
    }

    #[test]
    fn start_needs_every_react_island() {
        for missing in all() {
            for reload_port in [None, Some(1)] {
                let others = all().filter(|island| *island != missing);
                let built = Built::new(others, reload_port);
                let error = Manifest::load(&built.0).err().unwrap();
                let expected = format!("{} is missing", missing.name());
                assert_eq!(error.root_cause().to_string(), expected);
            }
        }
    }

    #[test]
    fn start_needs_every_file_that_documents_name() {
        let built = Built::new(all(), None);
        assert!(Manifest::load(&built.0).is_ok());
        let folder = built.0.root.parent().unwrap();
        for file in [
            "hash.txt",
            "react/islands/manifest.json",
            "react/islands/one.js",
            "react/islands/page.css",
            "site/favicon.svg",
            "site/fonts/inter-pt.57e26714.woff2",
            "site/pkg/vincula.b.wasm",
        ] {
            let path = folder.join(file);
            let content = fs::read_to_string(&path).unwrap();
            fs::remove_file(&path).unwrap();
            let error = Manifest::load(&built.0).err().unwrap();
            // Without the list of hashed names, the plain ones are missing.
            let expected = file.replace("hash.txt", "pkg/vincula.js");
            assert!(
                format!("{error:#}").contains(&expected),
                "{file}: {error:#}"
            );
            Built::write(&path, &content);
        }
    }

    #[test]
    fn rereads_manifest_only_in_watch_mode() {
        let [fixed, watched] = [None, Some(1)].map(|reload_port| {
            let built = Built::new(all(), reload_port);
            let manifest = Manifest::load(&built.0).unwrap();
            built.write_manifest(all(), "/islands/two.js");
            manifest.built().island(React::Consent).js.clone()
        });
        assert_eq!([&*fixed, &*watched], ["/islands/one.js", "/islands/two.js"]);
    }

    fn filled(html: &str, texts: &[(&str, &str)]) -> String {
        IslandBundle {
            screen: html.to_owned(),
            ..IslandBundle::default()
        }
        .filled(texts)
    }

    #[test]
    fn fills_in_escaped_texts_once() {
        let html = r#"<b>{{firm}}</b><i title="{{name}}">{{name}}</i>{{unknown}}"#;
        assert_eq!(
            filled(
                html,
                &[("firm", "A & B <script>"), ("name", r#"{{firm}} "x" 'y'"#)]
            ),
            "<b>A &amp; B &lt;script&gt;</b><i title=\"{{firm}} &quot;x&quot; &#x27;y&#x27;\">{{firm}} &quot;x&quot; &#x27;y&#x27;</i>"
        );
        assert_eq!(filled("no names {{ here", &[]), "no names {{ here");
    }
}
