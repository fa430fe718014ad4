//! The place of a React island in the document.

use std::sync::Arc;

use leptos::prelude::*;

use crate::bundle::IslandBundle;

/// What stands in the place of an island that was not prerendered.
const LOADING: &str = r#"<div class="loading"><span class="spinner" aria-hidden="true"></span></div>"#;

/// The place of a React island, with its prerendered `screen` if it has one. The bridge mounts the island there.
#[component]
pub fn ReactHost(name: &'static str, bundle: Arc<IslandBundle>, screen: Option<String>) -> impl IntoView {
    let html = screen.unwrap_or_else(|| LOADING.to_owned());
    view! { <div class="island" data-react=name data-src=bundle.js.clone() inner_html=html></div> }
}
