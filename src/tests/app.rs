//! How a test gets a server and a browser in front of it.
//!
//! - [`TestApp::start`]: the widget API is a [`ScriptedApi`] in `app.upstream`. `entered`,
//!   `consented`, `chosen`, `opened` and `linked` continue from there.
//! - [`TestApp::on_sandbox`]: the widget API is the embedded sandbox.
//! - [`TestApp::another_browser`] and [`TestApp::visit`]: another browser at the same server.
//!
//! Requests go to the router without a socket, so tests may pause tokio's clock.

use std::{net::SocketAddr, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::ConnectInfo,
    http::{
        HeaderMap, HeaderValue, Request,
        header::{COOKIE, HOST, SET_COOKIE},
    },
};
use clap::Parser;
use serde_json::{Value, json};
use tower::ServiceExt;
use vincula_sandbox::SandboxOptions;
use vincula_testing::{Act, ScriptedApi, profile};
use vincula_upstream::{Upstream, UpstreamConfig};

use super::{ITEM, LINK, answer::Answer, bank_form, item, pending, production, site};
use crate::{
    cli::Cli,
    config::{ProductConfig, Settings},
    server::router,
    session::{Consent, Linking, Session, SessionCodec, SuccessCall, Visit},
    state::{self, AppState, Backend},
    words::CONSENT_VERSION,
};

pub const HOST_NAME: &str = "vincula.example";

/// The header that marks a request as same-origin.
pub const OWN: (&str, &str) = ("sec-fetch-site", "same-origin");

pub const JSON: (&str, &str) = ("content-type", "application/json");
pub const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

/// A same-origin request.
pub fn json_request(path: &str, body: &Value) -> Request<Body> {
    let request = Request::post(path)
        .header(OWN.0, OWN.1)
        .header(JSON.0, JSON.1);
    request.body(Body::from(body.to_string())).unwrap()
}

/// A server and one browser in front of it. `A`: the widget API behind it, if the test scripts it.
pub struct TestApp<A = ScriptedApi> {
    pub router: Router,
    /// The router's state.
    pub state: AppState,
    pub upstream: A,
    pub jar: Jar,
    /// The values of all cookies that the browser was ever given.
    pub cookies_seen: Vec<String>,
    /// Where the browser's connections come from.
    pub address: Option<[u8; 4]>,
    /// Headers of every request.
    pub headers: HeaderMap,
}

/// The cookies of a browser.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Jar {
    /// The value of the session's cookie.
    pub session: Option<String>,
}

/// The parts of a session that may change, for comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    pub id: String,
    pub token: String,
    pub xsrf: Option<String>,
    /// The client's data, with the administrator as the bank form shows it.
    pub client: Value,
    pub consent: Option<Consent>,
    pub visit: Visit,
    pub linking: Option<Linking>,
    pub was_cancelled: bool,
}

impl TestApp {
    /// A browser without a session; the link is for new accounts of a company.
    pub async fn start() -> Self {
        Self::with_upstream(ScriptedApi::start().await, &[])
    }

    /// A browser before a router with further options and this upstream.
    pub fn with_upstream(upstream: ScriptedApi, options: &[&str]) -> Self {
        let (router, state) = Self::process(&upstream.base(), options);
        Self::of(router, state, upstream)
    }

    /// The router and state of another process with the same keys.
    pub fn process(base: &str, options: &[&str]) -> (Router, AppState) {
        let (config, backend) = production(base, options);
        process_of(&config, backend)
    }

    /// The same browser and upstream, with a new process that has these options, and whose rate
    /// limits are unused.
    pub fn restarted(self, options: &[&str]) -> Self {
        Self {
            jar: self.jar,
            ..Self::with_upstream(self.upstream, options)
        }
    }

    /// Lets the server make this many calls at once.
    pub fn limit_calls(&mut self, max_calls: usize) {
        let config = UpstreamConfig {
            base: self.upstream.base().parse().unwrap(),
            timeout: Duration::from_mins(30),
            max_calls,
        };
        self.state = self.state.with_upstream(Upstream::new(&config).unwrap());
        self.router = router(&self.state, &site::site());
    }

    /// The state after the link was opened; `changes` apply to the company's session data.
    pub async fn entered(changes: Value) -> Self {
        let mut app = Self::start().await;
        app.upstream
            .on("validate-token", Act::data(&profile(changes)));
        app.enter().await;
        app
    }

    /// The state after the consent.
    pub async fn consented(changes: Value) -> Self {
        let mut app = Self::entered(changes).await;
        app.consent().await;
        app
    }

    /// The state after the bank form was saved; Connect may open.
    pub async fn chosen(changes: Value) -> Self {
        let mut app = Self::consented(changes).await;
        app.done("save_bank_form", bank_form()).await;
        app
    }

    /// The state after Connect was opened.
    pub async fn opened(changes: Value) -> Self {
        let mut app = Self::chosen(changes).await;
        app.done("open_connect", json!({})).await;
        app
    }

    /// The state after Connect has finished.
    pub async fn linked(changes: Value) -> Self {
        let mut app = Self::opened(changes).await;
        app.finish().await;
        app.drain().await;
        app
    }
}

impl TestApp<()> {
    /// A browser without a session, and the sandbox as the widget API.
    pub async fn on_sandbox() -> Self {
        let options = SandboxOptions {
            slow: Duration::from_millis(1),
            ..SandboxOptions::default()
        };
        let Settings { api, product, .. } =
            Cli::parse_from(["vincula", "--widget-api-url", "sandbox"])
                .config
                .check()
                .unwrap();
        let backend = Backend::start(api, options).await.unwrap();
        let (router, state) = process_of(&product, backend);
        Self::of(router, state, ())
    }
}

impl<A> TestApp<A> {
    fn of(router: Router, state: AppState, upstream: A) -> Self {
        Self {
            router,
            state,
            upstream,
            jar: Jar::default(),
            cookies_seen: Vec::new(),
            address: None,
            headers: HeaderMap::new(),
        }
    }

    /// Another browser in front of the same server, without a session, at the same address.
    pub fn another_browser(&self) -> TestApp<()> {
        TestApp {
            address: self.address,
            headers: self.headers.clone(),
            ..TestApp::of(self.router.clone(), self.state.clone(), ())
        }
    }

    /// Another browser that has opened the link with this token.
    pub async fn visit(&self, token: &str) -> TestApp<()> {
        let mut browser = self.another_browser();
        browser.open_link(token).await;
        browser
    }

    /// Opens a link as a browser does: the entry, the request of its script, and the page to which
    /// that leads. Returns the response to the script.
    pub async fn open_link(&mut self, token: &str) -> Answer {
        let query = format!("?token={token}");
        self.get(&format!("/{query}")).await;
        let answer = self.validate(&query).await;
        let mut next = (answer.status == 200).then(|| answer.to());
        while let Some(path) = next {
            next = self.get(&path).await.location().map(str::to_owned);
        }
        answer
    }

    pub async fn consent(&mut self) {
        self.done("accept_consent", json!({})).await;
    }

    /// Finishes Connect with its item.
    pub async fn finish(&mut self) -> Value {
        self.done("finish_connect", item(ITEM)).await
    }

    pub async fn cancel(&mut self) {
        self.done("cancel_integrations", json!({})).await;
    }

    /// Links another bank, from the form to the end of Connect.
    pub async fn link_another(&mut self, form: Value, id: &str) {
        self.done("save_bank_form", form).await;
        self.done("open_connect", json!({})).await;
        self.done("finish_connect", item(id)).await;
    }

    /// Reports from Connect that another person must approve the account.
    pub async fn await_approval(&mut self) {
        let reported = self.done("finish_connect", pending()).await;
        assert_eq!(reported, json!({ "to": null, "item": "kept" }));
    }

    pub async fn enter(&mut self) -> Answer {
        let answer = self.validate(&LINK[1..]).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer
    }

    pub async fn validate(&mut self, query: &str) -> Answer {
        self.post_json(
            "/api/validate_token",
            &json!({ "input": { "query": query } }),
        )
        .await
    }

    /// Sends an action of the current page.
    pub async fn act(&mut self, action: &str, input: Value) -> Answer {
        let page = self.session().map(|session| session.id).unwrap_or_default();
        self.act_from(&page, action, input).await
    }

    /// Sends an action of a page with this session.
    pub async fn act_from(&mut self, page: &str, action: &str, mut input: Value) -> Answer {
        input["session"] = page.into();
        if action == "accept_consent" {
            input["version"] = CONSENT_VERSION.into();
        }
        self.post_json(&format!("/api/{action}"), &json!({ "input": input }))
            .await
    }

    /// Sends an action that must succeed.
    pub async fn done(&mut self, action: &str, input: Value) -> Value {
        let answer = self.act(action, input).await;
        assert_eq!(answer.status, 200, "{action}: {answer:?}");
        answer.json()
    }

    /// The session cookie as the browser sends it.
    pub fn pair(&self) -> String {
        self.jar.pair(&self.state.codec)
    }

    /// Waits until all background calls have ended.
    pub async fn drain(&self) {
        self.state.upstream.drain().await;
    }

    pub async fn get(&mut self, path: &str) -> Answer {
        self.ask("GET", path, &[], "").await
    }

    pub async fn post_json(&mut self, path: &str, body: &Value) -> Answer {
        self.send(json_request(path, body)).await
    }

    /// Posts a native form.
    pub async fn post_form(&mut self, path: &str, form: &str) -> Answer {
        self.ask("POST", path, &[OWN, FORM], form.to_owned()).await
    }

    /// Sends a request with these headers, the host and the browser's cookie.
    pub async fn ask(
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

    /// Sends a request with the browser's cookies and keeps the one that comes back.
    pub async fn send(&mut self, mut request: Request<Body>) -> Answer {
        self.prepare(&mut request);
        let answer = Answer::of(self.router.clone().oneshot(request).await.unwrap()).await;
        self.cookies_seen
            .extend(self.jar.keep(&answer, &self.state.codec));
        answer
    }

    /// Adds what the browser sends with every request.
    pub fn prepare(&self, request: &mut Request<Body>) {
        if let Some(address) = self.address {
            let peer = SocketAddr::from((address, 40_000));
            request.extensions_mut().insert(ConnectInfo(peer));
        }
        let headers = request.headers_mut();
        headers.entry(HOST).or_insert(HOST_NAME.parse().unwrap());
        for (name, value) in &self.headers {
            headers.entry(name).or_insert(value.clone());
        }
        if let Some(cookies) = self.jar.header(&self.state.codec) {
            headers.insert(COOKIE, cookies);
        }
    }

    /// The session in the cookie.
    pub fn session(&self) -> Option<Session> {
        self.jar.session(&self.state.codec)
    }

    pub fn snapshot(&self) -> Snapshot {
        let session = self.session().expect("there is a session");
        let mut client = serde_json::to_value(&session.client).unwrap();
        client["admin_name"] = session.administrator().name.as_str().into();
        if !session.typed.cpf.is_empty() {
            client["admin_cpfcnpj"] = session.typed.cpf.as_str().into();
        }
        Snapshot {
            id: session.id.clone(),
            token: session.token.expose().to_owned(),
            xsrf: session.xsrf.map(|xsrf| xsrf.expose().to_owned()),
            client,
            consent: session.consent,
            visit: session.visit,
            linking: session.linking,
            was_cancelled: session.was_cancelled,
        }
    }

    /// Puts a session into the browser.
    pub fn hold(&mut self, session: &Session) {
        self.jar = Jar::of(session, &self.state.codec);
    }

    /// Moves the opening of the link to this many seconds ago.
    pub fn opened_ago(&mut self, seconds: u64) {
        let session = self.session().unwrap();
        self.hold(&Session {
            link_opened_at: self.state.codec.now() - seconds,
            ..session
        });
    }
}

impl Snapshot {
    /// The success call of the last linking.
    pub fn success(&self) -> Option<SuccessCall> {
        self.linking.as_ref().map(|linking| linking.success)
    }
}

impl Jar {
    /// The cookies after this session was set.
    pub fn of(session: &Session, codec: &SessionCodec) -> Self {
        let set = codec.seal(session).unwrap();
        let (_, value) = pair_of(&set).split_once('=').unwrap();
        Self {
            session: Some(value.to_owned()),
        }
    }

    /// Keeps the cookie of a response, and returns its value.
    pub fn keep(&mut self, answer: &Answer, codec: &SessionCodec) -> Option<String> {
        answer.header_of(SET_COOKIE.as_str())?;
        let (name, value) = pair_of(&answer.headers[SET_COOKIE])
            .split_once('=')
            .unwrap();
        assert_eq!(name, codec.name());
        self.session = Some(value.to_owned());
        self.session.clone()
    }

    /// The session's cookie, as name and value.
    pub fn pair(&self, codec: &SessionCodec) -> String {
        let value = self.session.as_deref().unwrap_or_default();
        format!("{}={value}", codec.name())
    }

    /// The header with which a browser sends its cookies. `None` without a session.
    pub fn header(&self, codec: &SessionCodec) -> Option<HeaderValue> {
        self.session.as_ref()?;
        Some(self.pair(codec).parse().unwrap())
    }

    /// The session that the browser holds.
    pub fn session(&self, codec: &SessionCodec) -> Option<Session> {
        codec.open(&HeaderMap::from_iter([(COOKIE, self.header(codec)?)]))
    }
}

/// Name and value of a `Set-Cookie` header.
fn pair_of(set: &HeaderValue) -> &str {
    set.to_str().unwrap().split(';').next().unwrap()
}

/// The router and state of a process.
fn process_of(config: &ProductConfig, backend: Backend) -> (Router, AppState) {
    let site = site::site();
    let manifest = state::manifest(&site).unwrap();
    let state = AppState::new(config, &site, manifest, backend).unwrap();
    (router(&state, &site), state)
}
