//! The document around each step: header, side image, footer, and what the page's module and the
//! islands read.

use std::sync::Arc;

use leptos::prelude::*;

use crate::{
    pages::{
        head::Head,
        page_request::PageRequest,
        parts::{Brand, ContactLine},
        routing::App,
    },
    routes,
    screen::{React, Screen},
    site::{Built, Site},
    words,
};

/// The document. The server provides the [`PageRequest`] and the [`Site`] as context, each in an
/// `Arc`; the steps also have the [`Built`] files and the data of their [`Screen`].
pub fn document() -> impl IntoView {
    let request: Arc<PageRequest> = expect_context();
    let site: Arc<Site> = expect_context();
    let built: Arc<Built> = site.manifest.built();
    provide_context(Arc::clone(&built));
    let context = request.screen.context().cloned();
    let screen = &request.screen;
    provide_data(screen);
    let bare = screen.hides_header();
    let side_image = screen.side_image();
    // These steps show the firm's numbers elsewhere.
    let names_contact = !matches!(
        screen,
        Screen::Problem(_) | Screen::Success(_) | Screen::CancelSuccess(_)
    );
    let has_islands = screen.has_islands();
    let has_toast = has_islands || matches!(screen, Screen::Entry);
    let links_statement = !matches!(screen, Screen::Accessibility);
    let has_session = context.is_some();
    let next = files_to_prefetch(screen, &built).join(" ");
    view! {
        <!DOCTYPE html>
        <html lang="pt-BR">
            <Head/>
            <body
                class="page"
                data-page=screen.name()
                data-chrome=if bare { "bare" } else { "full" }
                data-layout=screen.layout()
                data-next=(!next.is_empty()).then_some(next)
                data-no-response=request.has_notice.then_some("")
            >
                <p class="outdated">{words::OUTDATED}</p>
                {(!bare).then(|| view! {
                    <header class="page__header">
                        <a class="skip-link" href="#conteudo">{words::SKIP}</a>
                        <Brand/>
                    </header>
                })}
                <main class="page__main" id="conteudo">
                    {request.has_notice.then(|| view! {
                        <noscript><p class="notice notice--warning">{words::REQUEST_FAILED}</p></noscript>
                    })}
                    {screen.needs_script().then(|| view! {
                        <noscript><p class="notice notice--warning needs-script">{words::NO_SCRIPT}</p></noscript>
                    })}
                    {has_islands.then(|| view! { <IslandsFailed/> })}
                    {has_session.then(|| view! { <Items/> })}
                    <App/>
                </main>
                {(!bare).then(|| view! {
                    <aside class="page__aside" aria-hidden="true">
                        <div class="aside">
                            {(request.firm.is_some() && !request.is_cancelled).then(|| view! {
                                <p class="aside__promise">{words::READ_ONLY}</p>
                            })}
                            // Lazy, because browsers fetch images that CSS hides, as it does on
                            // small screens.
                            <img
                                class="page__illustration"
                                loading="lazy"
                                src=format!("{}/{side_image}.svg", routes::ILLUSTRATIONS)
                                alt=""
                                width="160"
                                height="210"
                            />
                        </div>
                    </aside>
                })}
                <footer class="page__footer">
                    {names_contact.then(|| view! { <ContactLine/> })}
                    <p><span translate="no">{words::PRODUCT}</span> " — " {words::TAGLINE}</p>
                    {site.privacy_url.clone().map(|url| view! {
                        <p><a href=url rel="noreferrer">{words::PRIVACY}</a></p>
                    })}
                    {links_statement.then(|| view! {
                        <p><a href=routes::ACCESSIBILITY>{words::accessibility::LINK}</a></p>
                    })}
                </footer>
                {has_toast.then(|| view! { <Toast/> })}
                {context.map(|context| view! {
                    <script
                        r#type="application/json"
                        id="vincula-context"
                        inner_html=PageRequest::blob_of(&context)
                    ></script>
                })}
                {has_session.then(|| view! { <Stopped/> })}
            </body>
        </html>
    }
}

/// Provides the data of a screen as context, for its page and its islands.
fn provide_data(screen: &Screen) {
    if let Some(context) = screen.context() {
        provide_context(context.clone());
    }
    match screen.clone() {
        Screen::Consent(screen) => provide_context(screen),
        Screen::Accounts(screen) => provide_context(screen),
        Screen::Success(screen) => provide_context(screen),
        Screen::Problem(screen) => provide_context(screen),
        _ => {}
    }
}

/// Addresses of the scripts and modules that most clients need next, in the order of use. The
/// page's module fetches them once every island works.
fn files_to_prefetch(screen: &Screen, built: &Built) -> Vec<String> {
    match screen {
        Screen::Accounts(_) => built.island(React::BankForm).modules(),
        Screen::BankForm(_) => built.island(React::Connect).modules(),
        _ => Vec::new(),
    }
}

/// The card for a wasm module that does not load; the page's module shows it.
#[component]
fn IslandsFailed() -> impl IntoView {
    view! {
        <div class="card islands-failed" id="islands-failed" hidden>
            <p tabindex="-1">{words::ISLAND_BROKEN}</p>
            <div class="actions"><a class="button button--primary" href="">{words::RELOAD}</a></div>
        </div>
    }
}

/// The state of the items that the browser keeps, empty if there are none: one line for every
/// page. The page's module writes it (`page/items.ts`).
#[component]
fn Items() -> impl IntoView {
    view! {
        <p
            class="items"
            id="items"
            aria-live="polite"
            aria-atomic="true"
            data-kept=words::ITEM_KEPT
            data-refused=words::ITEM_REFUSED
            data-finishing=words::ITEM_FINISHING
        ></p>
    }
}

/// The toast of a failed request, at the top centre, which the page's module adds. The toast is a
/// landmark, and its live region is not: Firefox announces nothing of an element whose role changes.
#[component]
fn Toast() -> impl IntoView {
    view! {
        <div class="toasts" id="toasts" aria-live="assertive"></div>
        <template id="toast">
            <div class="toast" role="region" aria-label=words::NOTICE>
                <p class="toast__message">{words::REQUEST_FAILED}</p>
                <button class="toast__close" type="button" aria-label=words::CLOSE_NOTICE></button>
            </div>
        </template>
    }
}

/// The dialog of a page whose session was replaced or has ended (`data-ended`); the page's module shows
/// it. Its link leads to the start of the browser's current session.
#[component]
fn Stopped() -> impl IntoView {
    view! {
        <dialog
            class="stopped card"
            id="stopped"
            closedby="none"
            aria-labelledby="stopped-title"
            aria-describedby="stopped-text"
        >
            <Brand/>
            <h2 class="card__title" id="stopped-title" data-ended=words::SESSION_ENDED_TITLE>
                {words::OTHER_TAB_TITLE}
            </h2>
            <p id="stopped-text" data-ended=words::SESSION_ENDED>{words::OTHER_TAB}</p>
            <div class="actions">
                <a class="button button--primary" href=routes::NEW>{words::OTHER_TAB_CONTINUE}</a>
            </div>
        </dialog>
    }
}
