//! React's screens. Each is inside a Leptos island, whose hydration passes its host to React.

use leptos::{html::Div, prelude::*};

use crate::islands::{bridge, page_module};

/// The HTML of the prerendered screen. The server provides it as context.
#[derive(Debug, Clone)]
pub struct Prerendered(pub String);

/// The host of a screen. `name` is the component's, as in the manifest, and `module` the address of
/// the module that hydrates it. Leptos hydrates no `inner_html`, so the browser needs no
/// [`Prerendered`].
#[island]
pub fn ReactIsland(name: String, module: String) -> impl IntoView {
    if cfg!(feature = "hydrate") {
        page_module::restore_served();
    }
    let html = use_context().map_or_else(String::new, |Prerendered(html)| html);
    let host = NodeRef::<Div>::new();
    // An effect, so only in the browser.
    host.on_load(move |host| bridge::mount(&module, &host));
    view! { <div class="island" data-react=name inner_html=html node_ref=host></div> }
}
