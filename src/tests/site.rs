//! A minimal site for tests, without a build.

use std::{collections::HashMap, env, fs, path::Path, sync::LazyLock};

use serde_json::json;

use crate::{
    config::SiteFiles,
    routes::{FONT, ROOT_FILES},
    site::IslandBundle,
};

pub const CSS: &str = "/islands/vincula-H4SH.css";
pub const PAGE_JS: &str = "/islands/page-H4SH.js";
pub const ICON: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
pub const CONSENT_JS: &str = "/islands/consent-H4SH.js";

/// The consent as the build would have prerendered it, with its placeholders for texts.
const CONSENT_HTML: &str = r#"<section class="step"><h1 class="step__title"><strong>{{customerName}}</strong> pede acesso</h1><p title="{{clientName}}">{{clientName}} {{clientDocument}} contabilidade.</p><form action="/integration/widget" method="post"><input type="hidden" name="session" value="{{session}}"/><input type="checkbox" name="consent" value="yes"/><button type="submit">Autorizar integrações bancárias</button></form></section>"#;

const CONNECT_HTML: &str = "<h1>{{customerName}}</h1><p>{{bank}}</p>";

static SITE: LazyLock<SiteFiles> = LazyLock::new(|| {
    // Next to the test program, so that it is deleted with the build and each program has its own.
    let name = format!(
        "{}-site",
        env::current_exe()
            .unwrap()
            .file_name()
            .unwrap()
            .to_string_lossy()
    );
    let folder = env::current_exe().unwrap().with_file_name(name);
    let [root, react] = ["site", "react"].map(|name| folder.join(name));
    let manifest = json!({
        "islands": {
            "consent": { "js": CONSENT_JS, "imports": ["/islands/chunk-REACT.js"], "screen": CONSENT_HTML },
            "bank-form": { "js": "/islands/bank-form-H4SH.js", "imports": ["/islands/chunk-REACT.js"], "screen": "<p>{{customerName}}</p>" },
            "connect": { "js": "/islands/connect-H4SH.js", "preload": ["/islands/pluggy-H4SH.js"], "screen": CONNECT_HTML },
            "update": { "js": "/islands/update-H4SH.js", "preload": ["/islands/pluggy-H4SH.js"], "screen": CONNECT_HTML },
        },
        "css": CSS,
        "page": PAGE_JS,
        "entry": "entry();",
        "missing": "missing();",
    });
    let hashes = folder.join("hash.txt");
    for (path, content) in [
        (hashes.clone(), "js: def456\nwasm: 789abc\n".to_owned()),
        (react.join("islands/manifest.json"), manifest.to_string()),
        (react.join(&CSS[1..]), "body{}".to_owned()),
        (root.join("pkg/vincula.def456.js"), "export {};".to_owned()),
        (root.join("pkg/vincula.789abc.wasm"), String::new()),
        // Placeholders for the compressed forms: nothing decompresses them.
        (
            react.join(format!("{}.br", &CSS[1..])),
            "css as br".to_owned(),
        ),
        (
            react.join(format!("{}.gz", &CSS[1..])),
            "css as gzip".to_owned(),
        ),
        (root.join("favicon.svg.br"), "icon as br".to_owned()),
        (root.join("favicon.svg.gz"), "icon as gzip".to_owned()),
        (root.join("favicon.svg"), ICON.to_owned()),
        (
            root.join("robots.txt"),
            "User-agent: *\nDisallow: /\n".to_owned(),
        ),
        (
            root.join("illustrations/default.svg"),
            "<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_owned(),
        ),
        (root.join(&FONT[1..]), "a font".to_owned()),
        (react.join("sandbox/zoid.js"), "export {};".to_owned()),
    ] {
        write(&path, &content);
    }
    // Others that documents name.
    for file in ROOT_FILES.iter().map(|file| root.join(&file[1..])) {
        if !file.exists() {
            write(&file, "");
        }
    }
    let islands: HashMap<String, IslandBundle> =
        serde_json::from_value(manifest["islands"].clone()).unwrap();
    let modules = islands.values().flat_map(IslandBundle::modules);
    for module in modules.chain([PAGE_JS.to_owned()]) {
        write(&react.join(&module[1..]), "export {};");
    }
    SiteFiles {
        root,
        react,
        hash_file: hashes,
        reload_port: None,
    }
});

/// The site, written once.
pub fn site() -> SiteFiles {
    SITE.clone()
}

fn write(path: &Path, content: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}
