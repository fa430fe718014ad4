//! The document around each step, and the table of routes. No markup of a step.

use http::{HeaderValue, StatusCode, header, request::Parts};
use leptos::{html, nonce::use_nonce, prelude::*};
use leptos_axum::ResponseOptions;
use leptos_router::{
    SsrMode, StaticSegment,
    components::{Route, Router, Routes},
    path,
};

use crate::{
    error::Problem,
    http::{RequestId, policy::Policy},
    islands::{Chunk, Notices, chunk::escape_into, manifest::Manifest},
    routes::{self, Page},
    server::assets::Assets,
    session::{Session, Stage, Visitor, acting::served},
    steps::{
        accessibility::AccessibilityPage,
        accounts::AccountsPage,
        bank_form::BankFormPage,
        cancel::{CancelConfirmPage, CancelSuccessPage},
        connect::ConnectPage,
        consent::ConsentPage,
        entry::EntryPage,
        problem::{NotFoundPage, ProblemPage},
        reading::Listed,
        success::SuccessPage,
    },
    theme::{Color, Theme},
    wire::{Account, Context},
    words,
};

/// Pages fade into each other. Said in the document itself: until a stylesheet has arrived, the browser would take the
/// page for one without transitions and break off the one under way.
const VIEW_TRANSITION: &str =
    "@media (prefers-reduced-motion: no-preference) { @view-transition { navigation: auto } }";

/// What one document shows: the page of the request, by stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum View {
    Entry,
    Consent,
    Connect,
    Accounts,
    BankForm,
    Success,
    CancelConfirm,
    CancelSuccess,
    Problem,
    NotFound,
    Accessibility,
}

/// A script that runs before every other one of a document: the gallery plays its states with it. Only the server can
/// put it into a request's extensions.
#[derive(Debug, Clone)]
pub struct HeadScript {
    pub source: &'static str,
    /// What it reads from its own element, as JSON.
    pub data: String,
}

/// What the server knows while it draws one document.
#[derive(Clone)]
struct Drawing {
    page: Option<Page>,
    view: View,
    /// The last segment of the path.
    slug: String,
    session: Option<Session>,
    request_id: Option<String>,
    nonce: String,
    /// The form that led here was posted by the browser itself and had no answer.
    unanswered: bool,
    head_script: Option<HeadScript>,
}

impl View {
    fn of(page: Option<Page>, session: Option<&Session>) -> Self {
        match page {
            None | Some(Page::New) => Self::NotFound,
            Some(Page::Entry) => Self::Entry,
            Some(Page::Error) => Self::Problem,
            Some(Page::Widget) => match session.map(|session| &session.stage) {
                Some(Stage::BankChosen(..)) => Self::Connect,
                _ => Self::Consent,
            },
            Some(Page::Update) => Self::Connect,
            Some(Page::Accounts) => Self::Accounts,
            Some(Page::SelectBank) => Self::BankForm,
            Some(Page::Success) => Self::Success,
            Some(Page::CancelConfirm) => Self::CancelConfirm,
            Some(Page::CancelSuccess) => Self::CancelSuccess,
            Some(Page::Accessibility) => Self::Accessibility,
        }
    }

    /// Its name in `body[data-page]` and, for React's views, in the manifest.
    fn name(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::Consent => "consent",
            Self::Connect => "connect",
            Self::Accounts => "accounts",
            Self::BankForm => "bank-form",
            Self::Success => "success",
            Self::CancelConfirm => "cancel-confirm",
            Self::CancelSuccess => "cancel-success",
            Self::Problem => "error",
            Self::NotFound => "not-found",
            Self::Accessibility => "accessibility",
        }
    }

    fn is_react(self) -> bool {
        matches!(self, Self::Consent | Self::Connect | Self::BankForm)
    }

    /// Whether anything on it has to come alive.
    fn has_islands(self) -> bool {
        !matches!(self, Self::Problem | Self::NotFound | Self::CancelSuccess | Self::Accessibility)
    }

    fn title(self, drawing: &Drawing) -> &'static str {
        match self {
            Self::Entry => words::title::ENTRY,
            Self::Consent => words::title::CONSENT,
            Self::Connect if drawing.page == Some(Page::Update) => words::title::UPDATE,
            Self::Connect => words::title::CONNECT,
            Self::Accounts => words::title::ACCOUNTS,
            Self::BankForm => words::title::SELECT_BANK,
            Self::Success => words::title::SUCCESS,
            Self::CancelConfirm => words::title::CANCEL,
            Self::CancelSuccess => words::title::CANCELLED,
            Self::Problem => words::problem(Problem::of_slug(&drawing.slug)).title,
            Self::NotFound => words::NOT_FOUND_TITLE,
            Self::Accessibility => words::title::ACCESSIBILITY,
        }
    }
}

impl Drawing {
    fn now() -> Self {
        let parts: Parts = served();
        let path = parts.uri.path();
        let page = Page::at(path);
        let session = parts.extensions.get::<Visitor>().and_then(|visitor| visitor.0.clone());
        Self {
            page,
            view: View::of(page, session.as_ref()),
            slug: path.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned(),
            session,
            request_id: parts.extensions.get::<RequestId>().map(|id| id.as_str().to_owned()),
            unanswered: parts.uri.query().is_some_and(|query| query.split('&').any(|pair| pair == routes::NO_REPLY)),
            head_script: parts.extensions.get::<HeadScript>().cloned(),
            nonce: use_nonce().map(|nonce| nonce.to_string()).unwrap_or_default(),
        }
    }

    /// The blob that the islands of this document share (design D4).
    fn context(&self) -> Option<Context> {
        let session = self.session.as_ref()?;
        match self.view {
            View::BankForm => Some(session.bank_form_context()),
            View::Entry | View::Problem | View::NotFound | View::CancelSuccess | View::Accessibility => None,
            _ => Some(session.context()),
        }
    }

    /// "Autorizar acesso · Contábil Horizonte", as HTML.
    fn title(&self) -> String {
        let firm = self.session.as_ref().filter(|_| self.page.is_some_and(Page::needs_session));
        let firm = firm.map_or(words::PRODUCT, |session| &session.client.customer_name);
        let mut title = format!("{} · ", self.view.title(self));
        escape_into(&mut title, firm);
        title
    }
}

/// The document.
pub fn shell() -> impl IntoView {
    let drawing = Drawing::now();
    let (assets, manifest, policy): (Assets, Manifest, Policy) = (served(), served(), served());
    let theme: Theme = served();
    let options: ResponseOptions = served();
    let content_policy = policy.of_page(&drawing.nonce, drawing.view == View::Connect);
    options.insert_header(header::CONTENT_SECURITY_POLICY, content_policy);
    if drawing.view == View::NotFound {
        options.set_status(StatusCode::NOT_FOUND);
    }
    if drawing.page == Some(Page::Error) {
        options.insert_header(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    // Only islands come alive in the browser: nothing else is to be marked for it.
    if let Some(shared) = Owner::current_shared_context() {
        shared.set_is_hydrating(false);
    }
    let chunk = if drawing.view.is_react() { manifest.chunk(drawing.view.name()) } else { Chunk::default() };
    let bare = drawing.page.is_some_and(Page::is_bare);
    let side_image = drawing.page.map_or("cancel", Page::side_image);
    let firm = drawing
        .session
        .as_ref()
        .filter(|_| drawing.page.is_some_and(Page::needs_session))
        .map(|s| s.client.customer_name.clone());
    let preloads: Vec<String> = [&[chunk.js.clone()][..], &chunk.imports].concat();
    let has_islands = drawing.view.has_islands();
    provide_context(drawing.clone());
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
                <title inner_html=drawing.title()></title>
                <style nonce=drawing.nonce.clone() inner_html=VIEW_TRANSITION></style>
                <link rel="preload" href="/fonts/inter-pt.woff2" r#as="font" r#type="font/woff2" crossorigin="anonymous"/>
                <link rel="stylesheet" href=assets.css/>
                {theme.style().map(|css| view! { <style nonce=drawing.nonce.clone() inner_html=css></style> })}
                {drawing.head_script.clone().map(|HeadScript { source, data }| view! {
                    <script nonce=drawing.nonce.clone() data-play=data inner_html=source></script>
                })}
                <link rel="icon" href="/favicon.svg" r#type="image/svg+xml"/>
                <link rel="apple-touch-icon" href="/apple-touch-icon.png"/>
                {has_islands.then(|| view! {
                    <link rel="modulepreload" href=assets.js.clone()/>
                    <link rel="preload" href=assets.wasm.clone() r#as="fetch" r#type="application/wasm" crossorigin="anonymous"/>
                })}
                {preloads.into_iter().filter(|href| !href.is_empty()).map(|href| view! {
                    <link rel="modulepreload" href=href/>
                }).collect_view()}
                {assets.reload.clone().map(|options| view! { <AutoReload options/> })}
            </head>
            <body class="page" data-page=drawing.view.name() data-chrome=if bare { "bare" } else { "full" }>
                <a class="skip-link" href="#conteudo">{words::SKIP}</a>
                {(!bare).then(|| view! {
                    <header class="page__header">
                        <Brand theme firm/>
                    </header>
                })}
                <main class="page__main" id="conteudo">
                    {drawing.unanswered.then(|| view! {
                        <noscript><p class="notice notice--warning">{words::NO_REPLY}</p></noscript>
                    })}
                    {has_islands.then(|| view! { <IslandsFailed/> })}
                    <App/>
                </main>
                {(!bare).then(|| view! {
                    <aside class="page__aside" aria-hidden="true">
                        <img class="page__illustration" src=format!("/illustrations/{side_image}.svg") alt=""/>
                    </aside>
                })}
                <footer class="page__footer">
                    <p>{words::PRODUCT} " · " {words::TAGLINE}</p>
                    <p><a href=routes::ACCESSIBILITY>{words::accessibility::LINK}</a></p>
                </footer>
                {has_islands.then(|| view! { <Notices/> })}
                {drawing.context().map(|context| view! {
                    <script r#type="application/json" id="vincula-context" inner_html=as_json(&context)></script>
                })}
                {chunk.early.clone().map(|script| view! { <script nonce=drawing.nonce.clone() inner_html=script></script> })}
                {has_islands.then(|| view! {
                    <script
                        nonce=drawing.nonce.clone()
                        data-js=assets.js.clone()
                        data-wasm=assets.wasm.clone()
                        data-toast=drawing.unanswered.then_some(words::NO_REPLY)
                        inner_html=include_str!("islands/loader.js")
                    ></script>
                })}
            </body>
        </html>
    }
}

/// Who is speaking, at the top of the page: the product and the firm, or the firm's own logo.
#[component]
fn Brand(theme: Theme, firm: Option<String>) -> impl IntoView {
    let logo = theme.logo().map(|logo| {
        let alt = firm.clone().unwrap_or_else(|| words::LOGO.to_owned());
        view! { <img class="brand__logo" src=logo.path().to_owned() alt=alt/> }
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

/// The way out where the wasm module does not arrive; the page's loader shows it.
#[component]
fn IslandsFailed() -> impl IntoView {
    view! {
        <div class="card islands-failed" id="islands-failed" role="alert" hidden>
            <p>{words::ISLAND_BROKEN}</p>
            <div class="actions"><a class="button button--primary" href="">{words::RELOAD}</a></div>
        </div>
    }
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

/// The table of routes. Which of them may be seen is decided before (`session/guard.rs`).
#[component]
pub fn App() -> impl IntoView {
    view! {
        <Router>
            <Routes fallback=NotFound>
                <Route path=StaticSegment("") view=Entry ssr=SsrMode::Async/>
                <Route path=path!("/error/:type") view=ProblemOfPath ssr=SsrMode::Async/>
                <Route path=path!("/integration/widget") view=Widget ssr=SsrMode::Async/>
                <Route path=path!("/integration/accounts") view=Accounts ssr=SsrMode::Async/>
                <Route path=path!("/integration/select-bank") view=BankForm ssr=SsrMode::Async/>
                <Route path=path!("/integration/new") view=NotFound ssr=SsrMode::Async/>
                <Route path=path!("/integration/update") view=Widget ssr=SsrMode::Async/>
                <Route path=path!("/integration/success") view=Success ssr=SsrMode::Async/>
                <Route path=path!("/cancel/confirm") view=CancelConfirm ssr=SsrMode::Async/>
                <Route path=path!("/acessibilidade") view=AccessibilityPage ssr=SsrMode::Async/>
                <Route path=path!("/cancel/success") view=CancelSuccessPage ssr=SsrMode::Async/>
            </Routes>
        </Router>
    }
}

#[component]
fn Entry() -> impl IntoView {
    let drawing: Drawing = served();
    view! { <EntryPage nonce=drawing.nonce/> }
}

#[component]
fn Widget() -> impl IntoView {
    let (drawing, manifest): (Drawing, Manifest) = (served(), served());
    let chunk = manifest.chunk(drawing.view.name());
    with_context(move |context| {
        if drawing.view == View::Connect {
            return view! { <ConnectPage chunk/> }.into_any();
        }
        let document = drawing.session.map(|session| session.client.cpfcnpj.masked()).unwrap_or_default();
        view! { <ConsentPage context document chunk/> }.into_any()
    })
}

#[component]
fn Accounts() -> impl IntoView {
    let listed = listed();
    with_context(|context| view! { <AccountsPage context listed/> }.into_any())
}

#[component]
fn CancelConfirm() -> impl IntoView {
    let listed = listed();
    with_context(|context| view! { <CancelConfirmPage context listed/> }.into_any())
}

#[component]
fn Success() -> impl IntoView {
    with_context(|context| view! { <SuccessPage context/> }.into_any())
}

#[component]
fn BankForm() -> impl IntoView {
    let manifest: Manifest = served();
    view! { <BankFormPage chunk=manifest.chunk("bank-form")/> }
}

#[component]
fn ProblemOfPath() -> impl IntoView {
    let drawing: Drawing = served();
    view! { <ProblemPage problem=Problem::of_slug(&drawing.slug) request_id=drawing.request_id/> }
}

#[component]
fn NotFound() -> impl IntoView {
    let drawing: Drawing = served();
    view! { <NotFoundPage request_id=drawing.request_id/> }
}

/// The accounts, where the server has listed them for a browser without JavaScript.
fn listed() -> Option<Vec<Account>> {
    let parts: Parts = served();
    parts.extensions.get::<Listed>().map(|listed| listed.0.clone())
}

/// Draws with the context of the session, which the guard has seen to.
fn with_context(draw: impl FnOnce(Context) -> AnyView) -> AnyView {
    served::<Drawing>().context().map(draw).into_any()
}

/// JSON that may stand inside a script element.
fn as_json(context: &Context) -> String {
    let json = serde_json::to_string(context).expect("texts and flags always have a JSON form");
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{LinkToken, client::tests::client};

    #[test]
    fn the_context_cannot_leave_its_script_element() {
        let mut client = client("12ABC34501DE35", "", "");
        client.customer_name = "</script><script>alert(1)</script>\u{2028}<!--".into();
        let context = Session::new(LinkToken::parse("tok").unwrap(), client.clone(), 0).context();
        let json = as_json(&context);
        assert!(!json.contains('<') && !json.contains('\u{2028}'), "{json}");
        let back: Context = serde_json::from_str(&json).unwrap();
        assert_eq!(back.customer_name, client.customer_name);
        assert!(!json.contains("tok"), "never the token");
    }

    #[test]
    fn every_page_that_is_seen_has_a_view() {
        for page in Page::ALL.into_iter().filter(|page| *page != Page::New) {
            assert_ne!(View::of(Some(page), None), View::NotFound, "{page:?}");
        }
        assert_eq!(View::of(None, None), View::NotFound);
    }
}
