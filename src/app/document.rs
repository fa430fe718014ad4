//! The document around each step: header, side image, footer, and what the page's module and the
//! islands read.

use std::sync::Arc;

use axum::http::{HeaderName, HeaderValue, header};
use html_escape::encode_quoted_attribute;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;

use super::{
    facts::{Chrome, Facts, Islands, OpensConnect},
    head::Head,
    parts::{Brand, ContactLine},
    request::{PageRequest, request},
};
use crate::{
    http::policy,
    routes::{self, Page},
    session::{Session, guard::is_return},
    site::{BuiltFiles, Site},
    state::AppState,
    wire::PageContext,
    words,
};

/// The document of a step. `context`: what the page's module and the islands know of the session, if
/// the step is about one.
#[component]
pub fn Document(facts: Facts, context: Option<PageContext>, children: Children) -> impl IntoView {
    let request = request();
    let state: AppState = expect_context();
    let site: Arc<Site> = Arc::clone(&state.site);
    let built: Arc<BuiltFiles> = site.manifest.built();
    set_headers(&request, facts, &state);
    provide_context(Arc::clone(&site));
    provide_context(Arc::clone(&built));
    if let Some(context) = context.clone() {
        provide_context(context);
    }
    let has_islands = facts.islands != Islands::None;
    let has_session = context.is_some();
    let is_bare = facts.chrome == Chrome::Bare;
    // Next to the question whether to cancel, it would confuse.
    let asks_to_cancel = request.page == Some(Page::CancelConfirm);
    let has_promise = request.firm.is_some() && !is_cancelled(&request) && !asks_to_cancel;
    let links_statement = request.page != Some(Page::Accessibility);
    let next = facts
        .next
        .map(|next| built.island(next).modules().join(" "));
    view! {
        <!DOCTYPE html>
        <html lang="pt-BR">
            <Head facts title=title(&request, facts)/>
            <body
                class="page"
                data-page=facts.name
                data-chrome=if is_bare { "bare" } else { "full" }
                data-layout=facts.layout
                data-next=next
                data-no-response=request.has_notice().then_some("")
            >
                <p class="outdated">{words::OUTDATED}</p>
                {(!is_bare).then(|| view! {
                    <header class="page__header">
                        <a class="skip-link" href="#conteudo">{words::SKIP}</a>
                        <Brand/>
                    </header>
                })}
                <main class="page__main" id="conteudo">
                    {request.has_notice().then(|| view! {
                        <noscript><p class="notice notice--warning">{words::REQUEST_FAILED}</p></noscript>
                    })}
                    {(facts.islands == Islands::Needed).then(|| view! {
                        <noscript><p class="notice notice--warning needs-script">{words::NO_SCRIPT}</p></noscript>
                    })}
                    {has_islands.then(|| view! { <IslandsFailed/> })}
                    {has_session.then(|| view! { <Items named=facts.names_items/> })}
                    {children()}
                </main>
                {(!is_bare).then(|| view! {
                    <aside class="page__aside" aria-hidden="true">
                        <div class="aside">
                            {has_promise.then(|| view! {
                                <p class="aside__promise">{words::READ_ONLY}</p>
                            })}
                            // Lazy, because browsers fetch images that CSS hides, as it does on
                            // small screens.
                            <img
                                class="page__illustration"
                                loading="lazy"
                                src=format!("{}/{}.svg", routes::ILLUSTRATIONS, facts.side_image)
                                alt=""
                                width="160"
                                height="210"
                            />
                        </div>
                    </aside>
                })}
                <footer class="page__footer">
                    {facts.names_contact.then(|| view! { <ContactLine/> })}
                    <p><span translate="no">{words::PRODUCT}</span> " — " {words::TAGLINE}</p>
                    {request.details.privacy.as_ref().map(|policy| view! {
                        <p><a href=policy.to_string() rel="noreferrer">{words::PRIVACY}</a></p>
                    })}
                    {links_statement.then(|| view! {
                        <p><a href=routes::ACCESSIBILITY>{words::accessibility::LINK}</a></p>
                    })}
                </footer>
                {(has_islands || facts.is_entry).then(|| view! { <Toast/> })}
                {context.map(|context| view! {
                    <script
                        r#type="application/json"
                        id="vincula-context"
                        inner_html=blob_of(&context)
                    ></script>
                })}
                {has_session.then(|| view! { <Stopped/> })}
            </body>
        </html>
    }
}

/// Sets the headers that depend on the page.
fn set_headers(request: &PageRequest, facts: Facts, state: &AppState) {
    let response: ResponseOptions = expect_context();
    let hosts_connect = facts.connect == OpensConnect::Here;
    response.insert_header(
        header::CONTENT_SECURITY_POLICY,
        state.policy.of_page(&request.nonce, hosts_connect),
    );
    let opener = if hosts_connect {
        policy::OPENER_OF_CONNECT
    } else if facts.is_entry && is_return(request.query()) {
        policy::OPENER_OF_RETURN
    } else {
        return;
    };
    response.insert_header(
        HeaderName::from_static(policy::OPENER_POLICY),
        HeaderValue::from_static(opener),
    );
}

/// Whether everything was cancelled, and the firm is not authorized again.
fn is_cancelled(request: &PageRequest) -> bool {
    request
        .visitor
        .as_deref()
        .is_some_and(Session::is_cancelled)
}

/// "Autorizar acesso — Contábil Horizonte", as HTML.
fn title(request: &PageRequest, facts: Facts) -> String {
    let firm = request.firm.as_deref().unwrap_or(words::PRODUCT);
    words::title::document(facts.title, &encode_quoted_attribute(firm))
}

/// The context as JSON that is safe inside a script element.
fn blob_of(context: &PageContext) -> String {
    let json = serde_json::to_string(context).expect("texts and flags always have a JSON form");
    json.replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
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

/// The state of the items that the browser keeps, or empty without any: one line for every
/// page. The page's module writes it (`page/items.ts`). If they are not `named`, it is only about those
/// that the page finishes before its step.
#[component]
fn Items(named: bool) -> impl IntoView {
    view! {
        <p
            class="items"
            id="items"
            aria-live="polite"
            aria-atomic="true"
            data-kept=named.then_some(words::ITEM_KEPT)
            data-refused=named.then_some(words::ITEM_REFUSED)
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
/// it. It has neither brand nor link: another site may have opened the other link, for its own firm. It
/// is no `alertdialog`, which Orca reads twice in Chromium.
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
            <h2 class="card__title" id="stopped-title" data-ended=words::SESSION_ENDED_TITLE>
                {words::OTHER_TAB_TITLE}
            </h2>
            <p id="stopped-text" data-ended=words::SESSION_ENDED data-linked=words::STOPPED_LINKED>
                {words::OTHER_TAB}
            </p>
        </dialog>
    }
}

#[cfg(test)]
mod tests {
    use crate::wire::WidgetType;

    use super::*;

    #[test]
    fn context_cannot_close_script_element() {
        let customer_name = "</script><script>alert(1)</script>\u{2028}<!--".to_owned();
        let context = PageContext {
            session: "s".into(),
            client_name: "Ana".into(),
            customer_name: customer_name.clone(),
            authorized: false,
            cancelled: false,
            widget_type: WidgetType::New,
            renewal_due: false,
            is_confirmed: false,
            linking: None,
            bank: String::new(),
            consent: None,
            bank_form: None,
        };
        let json = blob_of(&context);
        assert!(!json.contains('<') && !json.contains('\u{2028}'), "{json}");
        let back: PageContext = serde_json::from_str(&json).unwrap();
        assert_eq!(back.customer_name, customer_name);
    }
}
