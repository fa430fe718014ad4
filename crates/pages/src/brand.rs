//! Who is speaking: the firm, by its name or its logo, and the product, which clients do not know.

use leptos::prelude::*;
use vincula_domain::words;

use crate::{face::Picture, theme::logo::LOGO_HEIGHT};

/// The firm, with the product small beside it; without a session there is no firm, and the product stands alone.
#[component]
pub fn Brand(logo: Option<Picture>, firm: Option<String>) -> impl IntoView {
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

/// What the firm is registered as, for wary people to compare.
#[component]
pub fn Credentials(cnpj: Option<String>, crc: Option<String>) -> impl IntoView {
    let known: Vec<String> = [cnpj, crc].into_iter().flatten().collect();
    (!known.is_empty()).then(|| {
        let each = known.into_iter().map(|one| view! { <span>{one}</span> " " });
        view! { <p class="credentials">{each.collect_view()}</p> }
    })
}
