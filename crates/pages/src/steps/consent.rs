//! `/integration/widget` before the consent: the client authorizes the firm (spec §2, "Authorization screen").

use std::sync::Arc;

use leptos::prelude::*;
use vincula_domain::wire::Context;

use crate::{bundle::IslandBundle, react::ReactHost};

/// React's consent, prerendered, so that it is complete and operable before React runs. `document` is the client's,
/// masked.
#[component]
pub fn ConsentPage(context: Context, document: String, bundle: Arc<IslandBundle>) -> impl IntoView {
    let texts: [(&str, &str); 4] = [
        ("session", &context.session),
        ("customerName", &context.customer_name),
        ("clientName", &context.client_name),
        ("clientDocument", &document),
    ];
    let screen = bundle.screen("consent", &texts);
    view! { <ReactHost name="consent" bundle=bundle screen=screen/> }
}
