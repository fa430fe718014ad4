//! What is the same for every document: settings, and the built files, which are the manifest from
//! `islands-react/build.mjs` and the bundles of React's islands with their prerendered screens.

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    slice,
    sync::Arc,
};

use html_escape::encode_quoted_attribute_to_string;
use leptos::config::LeptosOptions;
use serde::Deserialize;
use strum::{IntoStaticStr, VariantArray};

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
    /// The privacy policy of the deployment, if it has one.
    pub privacy_url: Option<String>,
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
    /// Finds the manifest among React's built files. Fails if React has not been built, or not
    /// every screen of it.
    pub fn load(react: &Path, watched: bool) -> io::Result<Self> {
        let path = react.join("islands/manifest.json");
        let built = read(&path)?;
        Ok(if watched {
            Self::Watched(path)
        } else {
            Self::Fixed(Arc::new(built))
        })
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

    /// React's build folder with a manifest of these islands, whose module is `js`.
    fn build(folder: &Path, islands: impl IntoIterator<Item = React>, js: &str) {
        let islands: HashMap<_, _> = islands
            .into_iter()
            .map(|island| (island.name(), serde_json::json!({ "js": js })))
            .collect();
        let manifest = serde_json::json!({
            "islands": islands, "css": "c.css", "page": "p.js", "entry": "()", "missing": "",
        });
        std::fs::create_dir_all(folder.join("islands")).unwrap();
        std::fs::write(folder.join("islands/manifest.json"), manifest.to_string()).unwrap();
    }

    fn new_folder() -> PathBuf {
        std::env::temp_dir().join(format!("vincula-manifest-{:x}", rand::random::<u64>()))
    }

    #[test]
    fn manifest_without_a_react_island_stops_the_start() {
        let folder = new_folder();
        let all = React::VARIANTS.iter().copied();
        for missing in all.clone() {
            let others = all.clone().filter(|island| *island != missing);
            build(&folder, others, "/islands/one.js");
            for watched in [false, true] {
                let error = Manifest::load(&folder, watched).err().unwrap();
                assert_eq!(error.to_string(), format!("{} is missing", missing.name()));
            }
        }
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(Manifest::load(&folder, false).is_err(), "nothing is built");
    }

    #[test]
    fn rereads_manifest_only_in_watch_mode() {
        let folder = new_folder();
        let all = React::VARIANTS.iter().copied();
        build(&folder, all.clone(), "/islands/one.js");
        let [fixed, watched] =
            [false, true].map(|watched| Manifest::load(&folder, watched).unwrap());
        assert_eq!(
            (&*fixed.built().page, &*fixed.built().entry),
            ("p.js", "()")
        );
        std::fs::remove_dir_all(&folder).unwrap();
        let module = |manifest: &Manifest| manifest.built().island(React::Consent).js.clone();
        assert_eq!(module(&fixed), "/islands/one.js");
        build(&folder, all, "/islands/two.js");
        assert_eq!(module(&watched), "/islands/two.js");
        std::fs::remove_dir_all(&folder).unwrap();
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
