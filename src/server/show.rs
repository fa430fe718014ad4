//! Shows a page. It is rendered once for each outline; further visits only fill in their texts
//! (docs/decisions/0041-pages-are-rendered-once.md).

use std::{
    collections::HashMap,
    pin::Pin,
    sync::{Arc, PoisonError, RwLock},
};

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use leptos::nonce::Nonce;
use leptos_axum::render_app_async_with_context;
use vincula_pages::{PageRequest, document};

use super::{
    AppState, files,
    page::{self, Rendering},
    template::Template,
};

/// Maximum number of remembered templates. The pages have about 50 outlines.
pub const MAX_TEMPLATES: usize = 256;

/// Outlines with their pages.
type Templates = RwLock<HashMap<PageRequest, Arc<Template>>>;

/// The handler of all pages.
pub fn handler(
    state: AppState,
) -> impl Fn(Request) -> Pin<Box<dyn Future<Output = Response> + Send>> + Clone + Send + Sync + 'static {
    let render = render_app_async_with_context(page::context(state.clone()), document);
    let templates = Arc::new(Templates::default());
    move |request| Box::pin(show(render.clone(), state.clone(), Arc::clone(&templates), request))
}

async fn show<R, F>(render: R, state: AppState, templates: Arc<Templates>, request: Request) -> Response
where
    R: Fn(Request) -> F,
    F: Future<Output = Response>,
{
    let (parts, body) = request.into_parts();
    let page = page::of(&parts, &Nonce::new(), &state);
    let (status, mut headers) = page::headers(&page, &state);
    let outline = if state.site.manifest.is_watched() { None } else { page.outline() };
    let Some((outline, texts)) = outline else { return render(Request::from_parts(parts, body)).await };
    let takes_gzip = files::accepts(&parts.headers, "gzip");
    let known = templates.read().unwrap_or_else(PoisonError::into_inner).get(&outline).cloned();
    let template = match known {
        Some(template) => template,
        None => {
            let html = rendered(render, Request::from_parts(parts, body), outline.clone()).await;
            let template = Arc::new(Template::of(&html));
            let mut templates = templates.write().unwrap_or_else(PoisonError::into_inner);
            if templates.len() < MAX_TEMPLATES {
                templates.insert(outline, Arc::clone(&template));
            }
            template
        }
    };
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    let gzip = if takes_gzip { template.gzip(&texts) } else { None };
    let body = match gzip {
        Some(gzip) => {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
            Body::from(gzip)
        }
        None => Body::from(template.fill(&texts)),
    };
    (status, headers, body).into_response()
}

/// The HTML of a page, rendered in place of the page that was requested. The framework's own scripts have a nonce of the
/// framework's, which the page's replaces.
async fn rendered<F>(render: impl Fn(Request) -> F, mut request: Request, page: PageRequest) -> String
where
    F: Future<Output = Response>,
{
    let framework = Nonce::new();
    let (nonce, page) = (page.nonce, PageRequest { nonce: framework.to_string(), ..page });
    request.extensions_mut().insert(Rendering { page: Arc::new(page), nonce: framework.clone() });
    let html = to_bytes(render(request).await.into_body(), usize::MAX).await.unwrap_or_default();
    String::from_utf8_lossy(&html).replace(&*framework, &nonce)
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, io};

    use clap::Parser;
    use html5gum::{Token, Tokenizer};
    use vincula_domain::{
        administrator::Administrator,
        problem::Problem,
        routes::{self, Page},
        wire::{BankFormContext, BankFormField, Context, WidgetType},
    };
    use vincula_pages::{
        Face, Recourse, Shared, View,
        brands::Brand,
        face::{Contact, Picture, Purpose},
    };

    use super::*;
    use crate::{
        config::Config,
        tests::{any_key, site::site},
    };

    fn state() -> AppState {
        let keys = any_key();
        let args =
            ["vincula", "--widget-api-url", "http://127.0.0.1:9", "--session-keys", &keys, "--trusted-proxies", "none"];
        AppState::new(&Config::parse_from(args).check().unwrap(), &site(), None).unwrap()
    }

    /// A face that has everything. Its colours are no texts of anybody else.
    fn face(text: &impl Fn(&str) -> String) -> Face {
        let picture = Picture { src: text("/logo"), width: text("1") };
        let contact = || Some(Contact { href: text("tel:"), number: text("(11)") });
        Face {
            colors: Brand::parse(r##"{ "primary": "#4a148c" }"##).unwrap().face(&Face::default()).colors,
            logo: Some(picture),
            cnpj: Some(text("CNPJ")),
            crc: Some(text("CRC")),
            telephone: contact(),
            whatsapp: contact(),
            privacy_url: Some(text("https://firm.example")),
            purpose: Some(Purpose { sentence: text("purpose"), digits: text("digits") }),
        }
    }

    /// Each page in each form, with texts that contain `text`.
    fn pages(text: &str) -> Vec<PageRequest> {
        let t = |name: &str| if text.is_empty() { String::new() } else { format!("{name}{text}") };
        let all = Page::ALL.map(Some).into_iter().chain([None]);
        let forms = all.flat_map(|page| [false, true].map(|flag| (page, flag)));
        let forms = forms.flat_map(|(page, flag)| [WidgetType::New, WidgetType::Update].map(|kind| (page, flag, kind)));
        let page = |(page, flag, widget_type): (Option<Page>, bool, WidgetType)| {
            let view = View::of(page, flag);
            let form = || BankFormContext {
                bank: t("b"),
                bank_name: t("bank"),
                administrator: Administrator { name: t("n"), cpf: t("c") },
                fixed: [
                    flag.then_some(BankFormField::Name),
                    (widget_type == WidgetType::New).then_some(BankFormField::Cpf),
                ]
                .into_iter()
                .flatten()
                .collect(),
                bank_is_asked_again: flag,
                client_is_company: flag,
            };
            let context = page.is_some_and(Page::needs_session).then(|| Context {
                session: t("s"),
                client_name: t("client"),
                customer_name: t("firm"),
                authorized: flag,
                has_receipt: flag,
                cancelled_at: flag.then(|| t("when")),
                widget_type,
                renewal_due: flag,
                is_success: flag,
                linkings: Vec::new(),
                bank_form: (view == View::BankForm).then(form),
            });
            PageRequest {
                page,
                view,
                recourse: match flag {
                    true => Recourse { shared: Shared::AsBefore, resumes_at: Some(routes::SUCCESS), outage: false },
                    false => Recourse::default(),
                },
                cancelled_at: flag.then(|| t("when")),
                left_connect: flag.then(|| t("bank")),
                back: flag.then(|| t("/back")),
                problem: if flag { Problem::TokenInvalid } else { Problem::TwoSessions },
                firm: (flag || context.is_some()).then(|| t("firm")),
                client_document: t("document"),
                client_is_company: widget_type == WidgetType::Update,
                face: if flag { face(&t) } else { Face::default() },
                blob: context.as_ref().map(PageRequest::blob_of),
                context,
                receipt: None,
                listed: None,
                support_code: flag.then(|| t("code")),
                // Of letters and digits, as ours and the framework's are.
                nonce: "n0nce".to_owned(),
                host: flag.then(|| t("host")),
                unanswered: flag,
                head_script: None,
                in_place: flag,
            }
        };
        forms.map(page).collect()
    }

    #[test]
    fn firms_do_not_add_outlines() {
        let outlines = |firm: usize| {
            pages(&format!("firm {firm}")).into_iter().map(move |page| {
                let colors = Brand::parse(&format!(r##"{{ "primary": "#{firm:06x}" }}"##)).unwrap();
                let face = Face { colors: colors.face(&Face::default()).colors, ..page.face };
                PageRequest { face, ..page }.outline().unwrap().0
            })
        };
        let of_one: HashSet<_> = outlines(0).collect();
        let of_many: HashSet<_> = (0..500).flat_map(outlines).collect();
        assert_eq!(of_one.len(), of_many.len());
    }

    /// The markup of a page: which quotation marks are escaped in a text means nothing.
    fn tokens(html: &str) -> Vec<Token> {
        Tokenizer::new(html).map(|token| token.unwrap()).collect()
    }

    #[tokio::test]
    async fn a_page_that_is_filled_in_is_the_page_that_leptos_renders() {
        let _sets_up_leptos = leptos_axum::generate_route_list(vincula_pages::App);
        let render = render_app_async_with_context(page::context(state()), document);
        for text in ["", "x", " <b>\"O'Neil\" & \u{e000}\u{e003} {{customerName}}</b> </script> \u{2028} \\ é "] {
            for page in pages(text) {
                let path = page.page.map_or("/nowhere", Page::path);
                let get = || Request::get(path).body(Body::empty()).unwrap();
                let expected = rendered(&render, get(), page.clone()).await;
                let (outline, texts) = page.outline().unwrap();
                let template = Template::of(&rendered(&render, get(), outline).await);
                let filled = template.fill(&texts);
                assert_eq!(tokens(&filled), tokens(&expected), "{path} {text:?}");
                assert!(filled.contains("</html>") && !filled.contains("<b>"), "{path}");
                let mut unpacked = String::new();
                let packed = template.gzip(&texts).unwrap();
                io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&packed[..]), &mut unpacked).unwrap();
                assert_eq!(unpacked, filled, "{path} {text:?}");
            }
        }
    }
}
