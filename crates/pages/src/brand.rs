//! Who is speaking: the firm, by its name or its logo, and the product, which clients do not know.

use leptos::prelude::*;
use vincula_domain::words;

use crate::face::{LOGO_HEIGHT, Picture};

/// The firm, with the product small beside it; without a session there is no firm, and the product stands alone.
#[component]
pub fn Brand(
    logo: Option<Picture>,
    firm: Option<String>,
    /// What the firm is registered as.
    #[prop(optional_no_strip)]
    credentials: Option<String>,
) -> impl IntoView {
    // Beside the name the logo says nothing that is not there as text.
    let alt = if firm.is_some() { "" } else { words::LOGO };
    let has_logo = logo.is_some();
    let logo = logo.map(|Picture { src, width }| {
        view! { <img class="brand__logo" src=src alt=alt width=width height=LOGO_HEIGHT/> }
    });
    let name = match firm {
        Some(firm) => view! {
            <span class="brand__names">
                <strong class="brand__firm">{firm}</strong> " " <span class="brand__by">{words::BY_PRODUCT}</span>
                {credentials.map(|credentials| view! { <span class="brand__credentials">{credentials}</span> })}
            </span>
        }
        .into_any(),
        None if has_logo => ().into_any(),
        None => view! {
            <img class="brand__mark" src="/favicon.svg" alt="" width="28" height="28"/>
            {words::PRODUCT}
        }
        .into_any(),
    };
    view! { <p class="brand">{logo} {name}</p> }
}
