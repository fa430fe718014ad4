//! The host element of a React island.

use std::sync::Arc;

use leptos::prelude::*;

use crate::bundle::IslandBundle;

/// The content of the host if the island was not prerendered.
const LOADING: &str = r#"<div class="loading"><span class="spinner" aria-hidden="true"></span></div>"#;

/// The host element, with the island's prerendered `screen` if it has one. The bridge mounts the island there.
#[component]
pub fn ReactHost(name: &'static str, bundle: Arc<IslandBundle>, screen: Option<String>) -> impl IntoView {
    let html = screen.unwrap_or_else(|| LOADING.to_owned());
    view! { <div class="island" data-react=name data-src=bundle.js.clone() inner_html=html></div> }
}
