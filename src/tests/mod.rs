//! The router from outside: real pages and actions in front of a scripted widget API.

mod accounts;
mod answer;
mod arrival;
mod assets;
mod attacks;
mod bank_form;
mod brands;
mod cancel;
mod catalogue;
mod changing_calls;
mod connect;
mod connect_steps;
mod connectors;
mod consent;
mod declared;
mod entry;
mod faults;
mod forms;
mod guards;
mod lifetime;
#[path = "../../crates/upstream/src/tests/lines.rs"]
pub mod lines;
mod linkings;
mod memory;
mod network;
mod page_heads;
mod pages;
mod passed_on;
mod problem;
mod repo_rules;
mod requests;
mod screens;
mod scripted;
mod session_model;
mod sibling_sites;
pub mod site;
mod success;

use std::sync::Arc;

use crate::telemetry::Metrics;
use answer::Answer;
use axum::{
    Router,
    body::Body,
    http::{
        HeaderMap, Method, Request,
        header::{CONTENT_TYPE, COOKIE, HOST, SET_COOKIE},
    },
};
use clap::Parser;
use network::Network;
use scripted::{Act, Scripted};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tower::ServiceExt;

use crate::{
    config::Config,
    server::router,
    session::{Progress, Session, SessionCodec, Stage},
    state::AppState,
};

/// A strong key, written as in the setting.
pub fn any_key() -> String {
    (0..64).map(|byte| format!("{byte:02x}")).collect()
}

/// The token of the link: percent-encoded in its address, and in no output afterwards.
const TOKEN: &str = "eyJ.Segredo-da-Padaria_42==";

/// The part of the token that is the same in every encoding.
const TOKEN_MARK: &str = "Segredo-da-Padaria_42";

const LINK: &str = "/?token=eyJ.Segredo-da-Padaria_42%3D%3D";

const HOST_NAME: &str = "vincula.example";

/// The id of an item that Connect has made.
const ITEM: &str = "6f4e0ccb-6ea3-4cf3-8e55-7f6a3e3f7d2a";

const LINK_ID: &str = "1d0c8a5e-77f5-4d5c-9a55-0f3c3d5f2b11";

/// A CPF that no profile has, so that its origin is clear.
const OTHER_CPF: &str = "111.444.777-35";

/// One browser, the router, and the scripted widget API.
struct TestApp {
    router: Router,
    codec: SessionCodec,
    upstream: Scripted,
    /// The router's state.
    state: AppState,
    /// The session cookie as the browser holds it.
    cookie: Option<String>,
    /// The router's listener, if requests go over the network and not by a call.
    network: Option<Arc<Network>>,
}

/// The parts of a session that may change, for comparison.
#[derive(Debug, Clone, PartialEq)]
struct Snapshot {
    id: String,
    token: String,
    xsrf: Option<String>,
    /// With the administrator as the bank form shows it.
    client: Value,
    stage: Stage,
    progress: Progress,
    is_cancelled: bool,
}

impl TestApp {
    /// A browser without a session; the link is for new accounts of a company.
    async fn start() -> Self {
        Self::with_upstream(Scripted::start().await, &[])
    }

    /// The router with further options and this upstream.
    fn with_upstream(upstream: Scripted, options: &[&str]) -> Self {
        let (router, state) = Self::process(&upstream.base(), options);
        Self { router, codec: state.codec.clone(), upstream, state, cookie: None, network: None }
    }

    /// The router and state of another process with the same keys.
    fn process(base: &str, options: &[&str]) -> (Router, AppState) {
        let keys = any_key();
        let needed = ["vincula", "--widget-api-url", base, "--session-keys", &keys];
        let proxies: &[&str] =
            if options.contains(&"--trusted-proxies") { &[] } else { &["--trusted-proxies", "none"] };
        let config = Config::try_parse_from([&needed, proxies, options].concat()).unwrap().check().unwrap();
        let site = site::site();
        let state = AppState::new(&config, &site, None).unwrap();
        (router(state.clone(), &site, None), state)
    }

    /// The same browser and upstream, with a server that has a short upstream timeout.
    fn with_short_timeout(self) -> Self {
        self.with_timeout("60")
    }

    /// The same browser and upstream, with a server that has this upstream timeout in milliseconds.
    fn with_timeout(self, ms: &str) -> Self {
        let cookie = self.cookie;
        Self { cookie, ..Self::with_upstream(self.upstream, &["--upstream-timeout-ms", ms]) }
    }

    /// The same browser and upstream, with a new process, whose rate limits are unused.
    fn with_fresh_process(self) -> Self {
        let cookie = self.cookie;
        Self { cookie, ..Self::with_upstream(self.upstream, &[]) }
    }

    /// The link has been opened; `changes` are made to the company's session data.
    async fn entered(changes: Value) -> Self {
        let mut app = Self::start().await;
        app.upstream.on("validate-token", Act::data(&profile(changes)));
        app.enter().await;
        app
    }

    /// Then the firm was authorized.
    async fn consented(changes: Value) -> Self {
        let mut app = Self::entered(changes).await;
        app.consent().await;
        app
    }

    /// The client accepts the consent of a company.
    async fn consent(&mut self) {
        let answer = self.consent_answer().await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }

    async fn consent_answer(&mut self) -> Answer {
        self.act("accept_consent", json!({})).await
    }

    /// Then the bank form was saved: Connect may open.
    async fn chosen(changes: Value) -> Self {
        let mut app = Self::consented(changes).await;
        app.done("save_bank_form", bank_form()).await;
        app
    }

    /// Then Connect has finished.
    async fn linked(changes: Value) -> Self {
        let mut app = Self::chosen(changes).await;
        app.done("finish_connect", json!({ "itemId": ITEM })).await;
        app.upstream.received_all(&["POST /log"]).await;
        app
    }

    /// The same browser and the same server, from now on with real HTTP between them.
    async fn over_the_network(mut self) -> Self {
        self.network = Some(Arc::new(Network::serving(self.router.clone()).await));
        self
    }

    async fn enter(&mut self) -> Answer {
        let answer = self.validate(&LINK[1..]).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer
    }

    async fn validate(&mut self, query: &str) -> Answer {
        self.post_json("/api/validate_token", &json!({ "input": { "query": query } })).await
    }

    /// An action of the page that the browser shows.
    async fn act(&mut self, action: &str, input: Value) -> Answer {
        let page = self.session().map(|session| session.id).unwrap_or_default();
        self.act_from(&page, action, input).await
    }

    /// An action of a page of this session.
    async fn act_from(&mut self, page: &str, action: &str, mut input: Value) -> Answer {
        input["session"] = page.into();
        // Every consent names its text; tests of other texts say so.
        if action == "accept_consent" && input.get("text").is_none() {
            input["text"] = site::TEXT_OF_COMPANY[..8].into();
        }
        self.post_json(&format!("/api/{action}"), &json!({ "input": input })).await
    }

    /// An action that succeeds.
    async fn done(&mut self, action: &str, input: Value) -> Value {
        let answer = self.act(action, input).await;
        assert_eq!(answer.status, 200, "{action}: {answer:?}");
        answer.json()
    }

    /// The response to an action of the page that the browser shows; the browser does not take its cookie.
    fn answer_to(&self, action: &str, mut input: Value) -> impl Future<Output = Answer> + Send + use<> {
        input["session"] = self.session().map(|session| session.id).into();
        let request = same_origin(Method::POST, &format!("/api/{action}"))
            .header(CONTENT_TYPE, "application/json")
            .header(HOST, HOST_NAME)
            .header(COOKIE, format!("{}={}", self.codec.name(), self.cookie.clone().unwrap_or_default()))
            .body(Body::from(json!({ "input": input }).to_string()));
        let router = self.router.clone();
        async move { Answer::of(router.oneshot(request.unwrap()).await.unwrap()).await }
    }

    /// Waits until all background calls have ended.
    async fn drain(&self) {
        self.state.upstream.drain().await;
    }

    fn metrics(&self) -> &Metrics {
        &self.state.metrics
    }

    async fn get(&mut self, path: &str) -> Answer {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    async fn post_json(&mut self, path: &str, body: &Value) -> Answer {
        let request = same_origin(Method::POST, path).header(CONTENT_TYPE, "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// A native form post.
    async fn post_form(&mut self, path: &str, form: String) -> Answer {
        let request = same_origin(Method::POST, path).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send(request.body(Body::from(form)).unwrap()).await
    }

    /// Sends a request with the cookie and keeps the one that comes back.
    async fn send(&mut self, mut request: Request<Body>) -> Answer {
        let headers = request.headers_mut();
        headers.entry(HOST).or_insert(HOST_NAME.parse().unwrap());
        if let Some(cookie) = &self.cookie {
            headers.insert(COOKIE, format!("{}={cookie}", self.codec.name()).parse().unwrap());
        }
        let answer = match &self.network {
            Some(network) => network.send(request).await,
            None => self.router.clone().oneshot(request).await.unwrap(),
        };
        let answer = Answer::of(answer).await;
        if let Some(set) = answer.header_of(SET_COOKIE.as_str()) {
            let pair = set.split(';').next().unwrap();
            self.cookie =
                Some(pair.strip_prefix(self.codec.name()).and_then(|rest| rest.strip_prefix('=')).unwrap().to_owned());
        }
        answer
    }

    /// The session in the cookie.
    fn session(&self) -> Option<Session> {
        let cookie = format!("{}={}", self.codec.name(), self.cookie.as_ref()?);
        self.codec.open(&HeaderMap::from_iter([(COOKIE, cookie.parse().unwrap())]))
    }

    fn snapshot(&self) -> Snapshot {
        let session = self.session().expect("there is a session");
        let mut client = serde_json::to_value(&session.client).unwrap();
        client["admin_name"] = session.administrator().name.into();
        if !session.typed.cpf.is_empty() {
            client["admin_cpfcnpj"] = session.typed.cpf.clone().into();
        }
        Snapshot {
            is_cancelled: session.is_cancelled(),
            id: session.id.clone(),
            token: session.token.expose().to_owned(),
            xsrf: session.xsrf.map(|xsrf| xsrf.expose().to_owned()),
            client,
            stage: session.stage,
            progress: session.progress,
        }
    }

    /// Puts a session into the browser.
    fn hold(&mut self, session: &Session) {
        let header = self.codec.seal(session).unwrap();
        let pair = header.to_str().unwrap().split(';').next().unwrap().to_owned();
        self.cookie = pair.split_once('=').map(|(_, value)| value.to_owned());
    }

    /// Moves the last use of the session this many seconds back.
    fn idle_for(&mut self, seconds: u64) {
        let session = self.session().unwrap();
        self.hold(&Session { seen_at: self.codec.now() - seconds, ..session });
    }
}

/// The native consent form of a company, from a page of this session.
fn consent_form(session: &str) -> String {
    format!("session={session}&text={}&consent=yes", &site::TEXT_OF_COMPANY[..8])
}

/// The error screen of a widget API that is out of order: the link is not to blame.
const OUTAGE: &str = "/error/token-invalid?falha=servico";

/// The responses to all of these, requested at the same time.
async fn all_at_once<T: Send + 'static>(futures: Vec<impl Future<Output = T> + Send + 'static>) -> Vec<T> {
    let mut all = JoinSet::new();
    for future in futures {
        all.spawn(future);
    }
    all.join_all().await
}

/// A request that a page of ours makes.
fn same_origin(method: Method, path: &str) -> axum::http::request::Builder {
    Request::builder().method(method).uri(path).header("sec-fetch-site", "same-origin")
}

/// The session data of a company whose administrator is somebody else, with changes.
fn profile(changes: Value) -> Value {
    let mut data = json!({
        "client_name": "Padaria Estrela do Sul Ltda",
        "client_cpfcnpj": "12.ABC.345/01DE-35",
        "customer_id": 4711,
        "customer_name": "Contábil Horizonte",
        "widget_account_admin_name": "Ana Souza",
        "widget_account_admin_cpfcnpj": "529.982.247-25",
        "widget_type": "new",
        "widget_account_bank": null,
        "link_id": null,
        "client_uuid": "0b9f9a52-3c1d-4d7e-9a6a-2f1c8f0f5e11",
    });
    for (name, value) in changes.as_object().unwrap() {
        data[name] = value.clone();
    }
    data
}

/// A link for the renewal of one integration.
fn update() -> Value {
    json!({ "widget_type": "update", "link_id": LINK_ID })
}

/// A valid bank form.
fn bank_form() -> Value {
    json!({ "bank": "260", "bankName": "Nubank", "name": "Bia Lima", "cpf": OTHER_CPF })
}

fn navigate(to: &str) -> Value {
    json!({ "kind": "navigate", "to": to })
}

fn no_reply() -> Value {
    json!({ "kind": "no_reply" })
}
