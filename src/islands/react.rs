//! React's screens. Each is inside a Leptos island, whose hydration passes its host to React.

use leptos::{html::Div, prelude::*};

use crate::islands::{bridge, page};

/// One prerendered screen of React. The server provides it as context.
#[derive(Debug, Clone)]
pub struct ReactScreen {
    /// The component's name, as in the manifest.
    pub name: &'static str,
    /// Address of the module that hydrates it.
    pub module: String,
    /// Its HTML.
    pub html: String,
}

/// The host of a screen. In the browser there is no [`ReactScreen`]: the host has all that is
/// needed, and an attribute that is `None` stays as it is.
#[island]
pub fn ReactIsland() -> impl IntoView {
    page::restore_served();
    let screen: Option<ReactScreen> = use_context();
    let name = screen.as_ref().map(|screen| screen.name);
    let (module, html) = screen.map(|screen| (screen.module, screen.html)).unzip();
    let host = NodeRef::<Div>::new();
    // An effect, so only in the browser.
    host.on_load(bridge::mount);
    view! {
        <div class="island" data-react=name data-src=module inner_html=html.unwrap_or_default() node_ref=host></div>
    }
}
