//! Tests of the router: real pages and actions with a scripted widget API.

mod accounts;
mod answer;
mod arrival;
mod assets;
mod bank_form;
mod brands;
mod cancel;
mod catalogue;
mod connect;
mod connect_steps;
mod consent;
mod entry;
mod guards;
mod linkings;
mod memory;
mod page_heads;
mod pages;
mod passed_on;
mod problem;
mod repo_rules;
mod requests;
mod screens;
mod session_model;
mod sibling_sites;
pub mod site;
mod success;

use answer::Answer;
use axum::{
    Router,
    body::Body,
    http::{
        HeaderMap, HeaderValue, Request,
        header::{COOKIE, HOST, SET_COOKIE},
    },
};
use clap::Parser;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tower::ServiceExt;
use vincula_testing::{Act, ScriptedApi, profile};

use crate::{
    config::{Config, Settings, WidgetApi},
    server::router,
    session::{Progress, Session, SessionCodec, Stage},
    state::{AppState, Backend},
};

/// A strong key, in the format of the setting.
pub const SESSION_KEY: &str = concat!(
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
    "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f",
);

/// The settings of a server with this widget API. Without other `options`, clients connect
/// directly.
pub fn production(base: &str, options: &[&str]) -> (Config, Backend) {
    let needed = [
        "vincula",
        "--widget-api-url",
        base,
        "--session-keys",
        SESSION_KEY,
    ];
    let proxies: &[&str] = if options.contains(&"--trusted-proxies") {
        &[]
    } else {
        &["--trusted-proxies", "none"]
    };
    let Settings { api, config } = Config::try_parse_from([&needed, proxies, options].concat())
        .unwrap()
        .check()
        .unwrap();
    match api {
        WidgetApi::Real(real) => (config, Backend::Real(real)),
        WidgetApi::Sandbox => unreachable!("the options name a widget API"),
    }
}

/// The token of the link. It is percent-encoded in the address and must not appear in any output.
const TOKEN: &str = "eyJ.Segredo-da-Padaria_42==";

/// The part of the token that is the same in every encoding.
const TOKEN_MARK: &str = "Segredo-da-Padaria_42";

const LINK: &str = "/?token=eyJ.Segredo-da-Padaria_42%3D%3D";

const HOST_NAME: &str = "vincula.example";

/// The id of an item that Connect has made.
const ITEM: &str = "6f4e0ccb-6ea3-4cf3-8e55-7f6a3e3f7d2a";

const LINK_ID: &str = "1d0c8a5e-77f5-4d5c-9a55-0f3c3d5f2b11";

/// A CPF that no profile has, so that its origin is unambiguous.
const OTHER_CPF: &str = "111.444.777-35";

/// One browser, the router, and the scripted widget API.
struct TestApp {
    router: Router,
    codec: SessionCodec,
    upstream: ScriptedApi,
    /// The router's state.
    state: AppState,
    /// The session cookie as the browser holds it.
    cookie: Option<String>,
    /// The cookie of the last use, as `name=value`.
    last_use: Option<String>,
}

/// The parts of a session that may change, for comparison.
#[derive(Debug, Clone, PartialEq)]
struct Snapshot {
    id: String,
    token: String,
    xsrf: Option<String>,
    /// The client's data, with the administrator as the bank form shows it.
    client: Value,
    stage: Stage,
    progress: Progress,
    is_cancelled: bool,
}

impl TestApp {
    /// A browser without a session; the link is for new accounts of a company.
    async fn start() -> Self {
        Self::with_upstream(ScriptedApi::start().await, &[])
    }

    /// A browser before a router with further options and this upstream.
    fn with_upstream(upstream: ScriptedApi, options: &[&str]) -> Self {
        let (router, state) = Self::process(&upstream.base(), options);
        Self::of(state, router, upstream)
    }

    /// A browser without a session before this router.
    fn of(state: AppState, router: Router, upstream: ScriptedApi) -> Self {
        Self {
            router,
            codec: state.codec.clone(),
            upstream,
            state,
            cookie: None,
            last_use: None,
        }
    }

    /// The router and state of another process with the same keys.
    fn process(base: &str, options: &[&str]) -> (Router, AppState) {
        let (config, backend) = production(base, options);
        let site = site::site();
        let state = AppState::new(&config, &site, backend).unwrap();
        (router(state.clone(), &site), state)
    }

    /// The same browser and upstream, with a new process that has these options, and whose rate
    /// limits are unused.
    fn restarted(self, options: &[&str]) -> Self {
        let (cookie, last_use) = (self.cookie, self.last_use);
        Self {
            cookie,
            last_use,
            ..Self::with_upstream(self.upstream, options)
        }
    }

    /// The state after the link was opened; `changes` apply to the company's session data.
    async fn entered(changes: Value) -> Self {
        let mut app = Self::start().await;
        app.upstream
            .on("validate-token", Act::data(&profile(changes)));
        app.enter().await;
        app
    }

    /// The state after the consent.
    async fn consented(changes: Value) -> Self {
        let mut app = Self::entered(changes).await;
        app.consent().await;
        app
    }

    async fn consent(&mut self) {
        self.done("accept_consent", json!({})).await;
    }

    /// The state after the bank form was saved; Connect may open.
    async fn chosen(changes: Value) -> Self {
        let mut app = Self::consented(changes).await;
        app.done("save_bank_form", bank_form()).await;
        app
    }

    /// The state after Connect was opened.
    async fn opened(changes: Value) -> Self {
        let mut app = Self::chosen(changes).await;
        app.done("open_connect", json!({})).await;
        app
    }

    /// The state after Connect has finished.
    async fn linked(changes: Value) -> Self {
        let mut app = Self::chosen(changes).await;
        app.finish().await;
        app.upstream.received_all(&["POST /log"]).await;
        app
    }

    /// The state after a cancellation.
    async fn cancelled(changes: Value) -> Self {
        let mut app = Self::entered(changes).await;
        app.cancel().await;
        app
    }

    /// Finishes Connect with its item.
    async fn finish(&mut self) -> Value {
        self.done("finish_connect", json!({ "itemId": ITEM })).await
    }

    async fn cancel(&mut self) {
        self.done("cancel_integrations", json!({})).await;
    }

    /// Links another bank, from the form to the end of Connect.
    async fn link_another(&mut self, form: Value, item: &str) {
        self.done("save_bank_form", form).await;
        self.done("open_connect", json!({})).await;
        self.done("finish_connect", json!({ "itemId": item })).await;
    }

    /// Reports from Connect that another person must approve the account.
    async fn await_approval(&mut self) {
        let pending =
            json!({ "message": "USER_AUTHORIZATION_PENDING", "itemId": null, "pending": true });
        self.done("report_connect_error", pending).await;
    }

    async fn enter(&mut self) -> Answer {
        let answer = self.validate(&LINK[1..]).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer
    }

    async fn validate(&mut self, query: &str) -> Answer {
        self.post_json(
            "/api/validate_token",
            &json!({ "input": { "query": query } }),
        )
        .await
    }

    /// Sends an action of the current page.
    async fn act(&mut self, action: &str, input: Value) -> Answer {
        let page = self.session().map(|session| session.id).unwrap_or_default();
        self.act_from(&page, action, input).await
    }

    /// Sends an action of a page with this session.
    async fn act_from(&mut self, page: &str, action: &str, mut input: Value) -> Answer {
        input["session"] = page.into();
        // A consent names this text unless the test sets another.
        if action == "accept_consent" && input.get("text").is_none() {
            input["text"] = site::TEXT[..8].into();
        }
        self.post_json(&format!("/api/{action}"), &json!({ "input": input }))
            .await
    }

    /// Sends an action that must succeed.
    async fn done(&mut self, action: &str, input: Value) -> Value {
        let answer = self.act(action, input).await;
        assert_eq!(answer.status, 200, "{action}: {answer:?}");
        answer.json()
    }

    /// Sends an action this many times concurrently and returns the responses, without storing
    /// their cookies.
    async fn act_at_once(
        &self,
        times: usize,
        action: &str,
        input: impl Fn(usize) -> Value,
    ) -> Vec<Answer> {
        let page = self.session().map(|session| session.id).unwrap_or_default();
        let mut answers = JoinSet::new();
        for number in 0..times {
            let mut input = input(number);
            input["session"] = page.clone().into();
            let mut request = json_request(&format!("/api/{action}"), &json!({ "input": input }));
            request
                .headers_mut()
                .insert(COOKIE, self.pair().parse().unwrap());
            request
                .headers_mut()
                .insert(HOST, HOST_NAME.parse().unwrap());
            let router = self.router.clone();
            answers.spawn(async move { Answer::of(router.oneshot(request).await.unwrap()).await });
        }
        answers.join_all().await
    }

    /// The session cookie as the browser sends it.
    fn pair(&self) -> String {
        format!(
            "{}={}",
            self.codec.name(),
            self.cookie.as_deref().unwrap_or_default()
        )
    }

    /// Both cookies as the browser sends them.
    fn cookies(&self) -> HeaderValue {
        let last_use = self.last_use.iter().map(|pair| format!("; {pair}"));
        last_use
            .fold(self.pair(), |line, pair| line + &pair)
            .parse()
            .unwrap()
    }

    /// Waits until all background calls have ended.
    async fn drain(&self) {
        self.state.upstream.drain().await;
    }

    async fn get(&mut self, path: &str) -> Answer {
        self.ask("GET", path, &[], "").await
    }

    async fn post_json(&mut self, path: &str, body: &Value) -> Answer {
        self.send(json_request(path, body)).await
    }

    /// Posts a native form.
    async fn post_form(&mut self, path: &str, form: &str) -> Answer {
        self.ask("POST", path, &[OWN, FORM], form.to_owned()).await
    }

    /// Sends a request with these headers, the host and the browser's cookie.
    async fn ask(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Answer {
        let request = Request::builder().method(method).uri(path);
        let request = headers.iter().fold(request, |request, (name, value)| {
            request.header(*name, *value)
        });
        self.send(request.body(body.into()).unwrap()).await
    }

    /// Sends a request with the cookie and keeps the one that comes back.
    async fn send(&mut self, mut request: Request<Body>) -> Answer {
        let headers = request.headers_mut();
        headers.entry(HOST).or_insert(HOST_NAME.parse().unwrap());
        if self.cookie.is_some() {
            headers.insert(COOKIE, self.cookies());
        }
        let answer = Answer::of(self.router.clone().oneshot(request).await.unwrap()).await;
        if let Some(set) = answer.header_of(SET_COOKIE.as_str()) {
            let pair = set.split(';').next().unwrap();
            match pair
                .strip_prefix(self.codec.name())
                .unwrap()
                .strip_prefix('=')
            {
                Some(value) => self.cookie = Some(value.to_owned()),
                None => self.last_use = Some(pair.to_owned()),
            }
        }
        answer
    }

    /// The session in the cookie.
    fn session(&self) -> Option<Session> {
        self.cookie.as_ref()?;
        self.codec
            .open(&HeaderMap::from_iter([(COOKIE, self.cookies())]))
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
        let pair = header
            .to_str()
            .unwrap()
            .split(';')
            .next()
            .unwrap()
            .to_owned();
        self.cookie = pair.split_once('=').map(|(_, value)| value.to_owned());
        self.last_use = None;
    }

    /// Moves the last use of the session this many seconds back.
    fn idle_for(&mut self, seconds: u64) {
        let session = self.session().unwrap();
        self.hold(&Session {
            seen_at: self.codec.now() - seconds,
            ..session
        });
    }
}

/// The native consent form, from a page of this session.
fn consent_form(session: &str) -> String {
    format!("session={session}&text={}&consent=yes", &site::TEXT[..8])
}

/// The error screen for an outage of the widget API.
const OUTAGE: &str = "/error/token-invalid?falha=servico";

/// The header that marks a request as same-origin.
const OWN: (&str, &str) = ("sec-fetch-site", "same-origin");

const JSON: (&str, &str) = ("content-type", "application/json");
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

/// A same-origin request.
fn json_request(path: &str, body: &Value) -> Request<Body> {
    let request = Request::post(path)
        .header(OWN.0, OWN.1)
        .header(JSON.0, JSON.1);
    request.body(Body::from(body.to_string())).unwrap()
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

fn no_response() -> Value {
    json!({ "kind": "no_reply" })
}
