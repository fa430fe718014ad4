//! The head of a document: its scripts, the style sheet, and what the browser should load early.

use std::sync::Arc;

use axum::http::request::Parts;
use leptos::{html, prelude::*};

use super::{
    facts::{Chrome, Facts, Islands, OpensConnect},
    request::request,
};
use crate::{
    brands::bars,
    routes::FONT,
    site::{BuiltFiles, Site},
    words,
};

/// Hides the sentence for browsers older than the baseline, unless the test fails. Not in the style
/// sheet, because a missing style sheet does not mean an old browser.
const HIDES_OUTDATED: &str = ":root:not([data-outdated]) .outdated{display:none}";

/// The test of what the pages need: cascade layers, dialogs, and WebAssembly under our policy. The
/// entry reports a failure. In the oldest syntax, because such a browser may parse no other script.
const BASELINE_TEST: &str = "try{CSSLayerBlockRule;HTMLDialogElement;new WebAssembly.Module(new Uint8Array([0,97,115,109,1,0,0,0]))}catch(e){\
    document.documentElement.setAttribute('data-outdated','');\
    if(location.pathname=='/'){var r=new XMLHttpRequest();r.open('POST','/api/report_island');\
    r.setRequestHeader('content-type','application/json');\
    r.send(JSON.stringify({input:{island:'page',reason:'outdated: '+e}}))}}";

/// Marks the request for a document that will be shown in place of the entry. Only the server can
/// set it, as an extension.
#[derive(Debug, Clone, Copy)]
pub struct InPlace;

/// The head. A step that is shown in place of the entry has only what the entry's head lacks.
#[component]
pub fn Head(facts: Facts, title: String) -> impl IntoView {
    let request = request();
    let in_place = with_context(|parts: &Parts| parts.extensions.get::<InPlace>().is_some());
    let in_place = in_place.unwrap_or_default();
    let primary = request.details.primary;
    let [light, dark] = bars(primary, facts.chrome == Chrome::Bare);
    // In place of the entry, the firm's colours are not yet a style: the browser would check it
    // against the entry's policy while parsing, and this nonce is not the entry's.
    let style = primary.map(|primary| {
        let css = primary.css();
        if in_place {
            view! { <meta name="style" content=css/> }.into_any()
        } else {
            view! { <style nonce=request.nonce.clone() inner_html=css></style> }.into_any()
        }
    });
    view! {
        <head>
            <meta charset="utf-8"/>
            {(!in_place).then(|| view! { <Resources facts/> })}
            {theme_color("light", light)}
            {theme_color("dark", dark)}
            {style}
            // After a text, Leptos writes a comment, which a title shows.
            <title inner_html=title></title>
            <Modules facts/>
        </head>
    }
}

/// What every page needs that is not shown in place of the entry.
#[component]
fn Resources(facts: Facts) -> impl IntoView {
    let request = request();
    let site: Arc<Site> = expect_context();
    let built: Arc<BuiltFiles> = expect_context();
    let Site {
        connect_origin,
        options,
        ..
    } = &*site;
    let is_entry = facts.is_entry;
    let inline = |data_font: Option<&'static str>, source: &str| {
        view! { <script nonce=request.nonce.clone() data-font=data_font inner_html=source.to_owned()></script> }
    };
    view! {
        // First of all, because it sends the validation.
        {is_entry.then(|| inline(Some(FONT), &built.entry))}
        {inline(None, BASELINE_TEST)}
        <meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content"/>
        <meta name="robots" content="noindex"/>
        <meta name="color-scheme" content="light dark"/>
        <meta name="format-detection" content="telephone=no"/>
        {open_graph("og:site_name", words::PRODUCT.to_owned())}
        {open_graph("og:title", words::PREVIEW_TITLE.to_owned())}
        {open_graph("og:description", words::PREVIEW.to_owned())}
        // Previews need an absolute address.
        {request.host.as_ref().map(|host| open_graph("og:image", format!("{}://{host}/social.png", site.scheme)))}
        // Before the style sheet, because a script after it would wait for it.
        {(facts.islands != Islands::None).then(|| inline(None, &built.missing))}
        // On the entry, it would compete with the response to the validation.
        {(!is_entry).then(|| view! {
            <link rel="preload" href=FONT r#as="font" r#type="font/woff2" crossorigin="anonymous"/>
        })}
        <link rel="stylesheet" href=built.css.clone()/>
        <style nonce=request.nonce.clone() inner_html=HIDES_OUTDATED></style>
        <link rel="icon" href="/favicon.svg" r#type="image/svg+xml"/>
        <link rel="apple-touch-icon" href="/apple-touch-icon.png"/>
        {connect_origin.clone().and_then(|origin| match facts.connect {
            // An unused connection is closed before a form is filled in; a resolved name stays
            // cached.
            OpensConnect::Next => Some(view! { <link rel="dns-prefetch" href=origin/> }.into_any()),
            OpensConnect::Here => Some(view! { <link rel="preconnect" href=origin/> }.into_any()),
            OpensConnect::No => None,
        })}
        // Empty, unless `cargo leptos watch` runs.
        <AutoReload options=options.clone()/>
    }
}

/// The page's module, what hydrates the islands, and the modules that these need, loaded in
/// parallel. The entry imports the page's module itself, from the document of its step.
#[component]
fn Modules(facts: Facts) -> impl IntoView {
    let request = request();
    let built: Arc<BuiltFiles> = expect_context();
    let options = expect_context::<Arc<Site>>().options.clone();
    let modules = facts
        .react
        .map(|react| built.island(react).modules())
        .unwrap_or_default();
    view! {
        // Module scripts run in document order, so this one must be first.
        {(!facts.is_entry).then(|| view! {
            <script r#type="module" src=built.page.clone() nonce=request.nonce.clone()></script>
        })}
        {(facts.islands != Islands::None).then(|| view! { <HydrationScripts options islands=true/> })}
        {modules.into_iter().map(|href| view! {
            <link rel="modulepreload" href=href/>
        }).collect_view()}
    }
}

/// The colour of the browser's own bars: the page's background in `style/tokens.css`.
fn theme_color(scheme: &str, color: String) -> impl IntoView {
    html::meta()
        .name("theme-color")
        .content(color)
        .attr("media", format!("(prefers-color-scheme: {scheme})"))
}

/// One line of what a link preview shows.
fn open_graph(property: &'static str, content: String) -> impl IntoView {
    html::meta()
        .attr("property", property)
        .attr("content", content)
}
