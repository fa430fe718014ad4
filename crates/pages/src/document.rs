//! The document around each step: head, header, side image, footer, and what wakes the islands.

use std::{
    slice,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use leptos::{html, prelude::*};
use vincula_domain::{
    routes::{self, Page},
    wire::Context,
    words,
};

use crate::{
    bundle::WasmModule,
    page_request::{HeadScript, PageRequest, View},
    prefetch,
    routing::App,
    site::Site,
    theme::{Color, Logo},
};

const FONT: &str = "/fonts/inter-pt.woff2";

/// Browsers that know no cascade layers drop this, and with it all of our style sheet: the sentence is for them.
const HIDES_OUTDATED: &str = "@layer{.outdated{display:none}}";

/// The document. The server has given the [`PageRequest`] and the [`Site`] as context, each in an `Arc`.
pub fn document() -> impl IntoView {
    let request: Arc<PageRequest> = expect_context();
    let site: Arc<Site> = expect_context();
    let Site { assets, manifest, theme, connect_origin } = &*site;
    // Only islands come alive in the browser: nothing else is to be marked for it.
    if let Some(shared) = Owner::current_shared_context() {
        shared.set_is_hydrating(false);
    }
    let built = manifest.built();
    let bundle = if request.view.is_react() { built.island(request.view.name()) } else { Arc::default() };
    let bare = request.page.is_some_and(Page::is_bare);
    let side_image = request.page.map_or("cancel", Page::side_image);
    let preloads = [slice::from_ref(&bundle.js), &bundle.imports, &bundle.preload].concat();
    let firm = request.firm.clone();
    let has_islands = request.view.has_islands();
    let is_entry = request.view == View::Entry;
    let next = prefetch::files(request.view, assets, &built).join(" ");
    let WasmModule { js, wasm } = if request.view.is_leptos() { assets.module.clone() } else { built.bridge.clone() };
    view! {
        <!DOCTYPE html>
        <html lang="pt-BR">
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content"/>
                <meta name="robots" content="noindex"/>
                <meta name="color-scheme" content="light dark"/>
                {theme.bars(bare).map(|(scheme, color)| theme_color(scheme, color)).collect_view()}
                <meta name="format-detection" content="telephone=no"/>
                {open_graph("og:title", words::PRODUCT)}
                {open_graph("og:description", words::TAGLINE)}
                {open_graph("og:image", "/social.png")}
                <title inner_html=request.title()></title>
                {request.head_script.clone().map(|HeadScript { source, data }| view! {
                    <script nonce=request.nonce.clone() data-play=data inner_html=source></script>
                })}
                // In front of the style sheet, for which scripts behind it would have to wait.
                <script
                    nonce=request.nonce.clone()
                    data-font=is_entry.then_some(FONT)
                    inner_html=built.script.to_string()
                ></script>
                // The entry's response to the validation would compete with it.
                {(!is_entry).then(|| view! {
                    <link rel="preload" href=FONT r#as="font" r#type="font/woff2" crossorigin="anonymous"/>
                })}
                <link rel="stylesheet" href=assets.css.clone()/>
                // Here and not in the style sheet: one that did not arrive says nothing about the browser.
                <style nonce=request.nonce.clone() inner_html=HIDES_OUTDATED></style>
                {theme.style().map(|css| view! { <style nonce=request.nonce.clone() inner_html=css></style> })}
                <link rel="icon" href="/favicon.svg" r#type="image/svg+xml"/>
                <link rel="apple-touch-icon" href="/apple-touch-icon.png"/>
                {has_islands.then(|| view! {
                    <link rel="modulepreload" href=js.clone()/>
                    <link rel="preload" href=wasm.clone() r#as="fetch" r#type="application/wasm" crossorigin="anonymous"/>
                })}
                {preloads.into_iter().filter(|href| !href.is_empty()).map(|href| view! {
                    <link rel="modulepreload" href=href/>
                }).collect_view()}
                {connect_origin.clone().and_then(|origin| match request.view {
                    // A connection that nobody uses is closed before a form is filled in; a name stays known.
                    View::BankForm => Some(view! { <link rel="dns-prefetch" href=origin/> }.into_any()),
                    View::Connect => Some(view! { <link rel="preconnect" href=origin/> }.into_any()),
                    _ => None,
                })}
                {(request.view == View::Accounts).then(|| view! {
                    <script
                        r#type="speculationrules"
                        nonce=request.nonce.clone()
                        inner_html=prefetch::SPECULATION_RULES
                    ></script>
                })}
                {assets.reload.clone().map(|options| view! { <AutoReload options/> })}
            </head>
            <body
                class="page"
                data-page=request.view.name()
                data-chrome=if bare { "bare" } else { "full" }
                data-glue=has_islands.then(|| js.clone())
                data-wasm=has_islands.then(|| wasm.clone())
                data-next=(!next.is_empty()).then_some(next)
                data-unanswered=request.unanswered.then_some("")
            >
                <p class="outdated">{words::OUTDATED}</p>
                <a class="skip-link" href="#conteudo">{words::SKIP}</a>
                {(!bare).then(|| view! {
                    <header class="page__header">
                        <Brand logo=theme.logo().cloned() firm/>
                    </header>
                })}
                <main class="page__main" id="conteudo">
                    {request.unanswered.then(|| view! {
                        <noscript><p class="notice notice--warning">{words::NO_REPLY}</p></noscript>
                    })}
                    {has_islands.then(|| view! { <IslandsFailed/> })}
                    <App/>
                </main>
                {(!bare).then(|| view! {
                    <aside class="page__aside" aria-hidden="true">
                        // Lazily: CSS hides it on small screens, which alone keeps no browser from fetching it.
                        <img
                            class="page__illustration"
                            loading="lazy"
                            src=format!("/illustrations/{side_image}.svg")
                            alt=""
                            width="160"
                            height="240"
                        />
                    </aside>
                })}
                <footer class="page__footer">
                    <p>{words::PRODUCT} " · " {words::TAGLINE}</p>
                    <p><a href=routes::ACCESSIBILITY>{words::accessibility::LINK}</a></p>
                </footer>
                {(has_islands || is_entry).then(|| view! { <Toasts/> })}
                {request.context.clone().map(|context| view! {
                    <script r#type="application/json" id="vincula-context" inner_html=as_json(&context)></script>
                    <OtherTab session=context.session/>
                })}
            </body>
        </html>
    }
}

/// Who is speaking, at the top of the page: the product and the firm, or the firm's own logo.
#[component]
fn Brand(logo: Option<Logo>, firm: Option<String>) -> impl IntoView {
    let logo = logo.map(|logo| {
        let alt = firm.clone().unwrap_or_else(|| words::LOGO.to_owned());
        view! { <img class="brand__logo" src=logo.path().to_owned() alt=alt height="44"/> }
    });
    // The logo already says the name to those who hear the page.
    let told = logo.is_some().then_some("true");
    let brand = logo.map(IntoAny::into_any).unwrap_or_else(|| {
        view! {
            <img class="brand__mark" src="/favicon.svg" alt="" width="28" height="28"/>
            {words::PRODUCT}
        }
        .into_any()
    });
    view! {
        <span class="brand">{brand}</span>
        {firm.map(|firm| view! { <span class="page__firm" aria-hidden=told>{firm}</span> })}
    }
}

/// The way out if the wasm module does not load; the page's script shows it.
#[component]
fn IslandsFailed() -> impl IntoView {
    view! {
        <div class="card islands-failed" id="islands-failed" role="alert" hidden>
            <p>{words::ISLAND_BROKEN}</p>
            <div class="actions"><a class="button button--primary" href="">{words::RELOAD}</a></div>
        </div>
    }
}

/// Toasts, top centre: the page's script fills and shows them.
#[component]
fn Toasts() -> impl IntoView {
    view! {
        <div class="toasts" id="toasts" role="region" aria-live="assertive" aria-label=words::NOTICES></div>
        <template id="toast">
            <div class="toast">
                <p class="toast__message"></p>
                <button class="toast__close" type="button" aria-label=words::CLOSE></button>
            </div>
        </template>
    }
}

/// The notice that stops a page whose session was replaced (design D11); the page's script shows it. Its link leads to
/// the home of the session that the browser has now.
#[component]
fn OtherTab(session: String) -> impl IntoView {
    view! {
        <dialog
            class="other-tab card"
            id="other-tab"
            data-session=session
            data-rendered=now_ms().to_string()
            role="alertdialog"
            closedby="none"
            aria-labelledby="other-tab-title"
            aria-describedby="other-tab-text"
        >
            <p class="brand">
                <img class="brand__mark" src="/favicon.svg" alt="" width="28" height="28"/>
                {words::PRODUCT}
            </p>
            <h2 class="card__title" id="other-tab-title">{words::OTHER_TAB_TITLE}</h2>
            <p id="other-tab-text">{words::OTHER_TAB}</p>
            <div class="actions">
                <a class="button button--primary" href=routes::NEW>{words::OTHER_TAB_CONTINUE}</a>
            </div>
        </dialog>
    }
}

/// Milliseconds since 1970.
fn now_ms() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis()
}

/// The colour of the browser's own bars: the page's background in `style/tokens.css`.
fn theme_color(scheme: &str, color: Color) -> impl IntoView {
    html::meta()
        .name("theme-color")
        .content(color.to_string())
        .attr("media", format!("(prefers-color-scheme: {scheme})"))
}

/// One line of what a link preview shows.
fn open_graph(property: &'static str, content: &'static str) -> impl IntoView {
    html::meta().attr("property", property).attr("content", content)
}

/// JSON that may stand inside a script element.
fn as_json(context: &Context) -> String {
    let json = serde_json::to_string(context).expect("texts and flags always have a JSON form");
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use vincula_domain::wire::WidgetType;

    use super::*;

    #[test]
    fn the_context_cannot_leave_its_script_element() {
        let customer_name = "</script><script>alert(1)</script>\u{2028}<!--".to_owned();
        let context = Context {
            session: "s".into(),
            client_name: "Ana".into(),
            customer_name: customer_name.clone(),
            widget_type: WidgetType::New,
            is_success: false,
            bank_form: None,
        };
        let json = as_json(&context);
        assert!(!json.contains('<') && !json.contains('\u{2028}'), "{json}");
        let back: Context = serde_json::from_str(&json).unwrap();
        assert_eq!(back.customer_name, customer_name);
    }
}
