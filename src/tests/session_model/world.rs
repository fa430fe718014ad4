//! One sequence: the browser that all its tabs share, and its requests.

use std::net::SocketAddr;

use axum::{
    body::Body,
    extract::ConnectInfo,
    http::{
        Request,
        header::{COOKIE, HOST},
    },
};
use serde_json::{Value, json};
use tower::ServiceExt;

use super::{
    Setting,
    steps::{LINKS, READING, TABS},
    truth::{Truth, firm_of, name_of},
};
use crate::{
    session::{Session, SessionCodec},
    tests::{Act, Answer, HOST_NAME, ITEM, Jar, LINK_ID, profile},
};

/// One sequence: a browser, and the model's state.
pub struct World<'a> {
    pub setting: &'a Setting,
    pub number: u32,
    /// A page of another link aborts the requests of older pages.
    pub abort: bool,
    /// Index of the process that serves.
    pub process: usize,
    pub jar: Jar,
    /// The link that was opened last, of those whose response has arrived.
    pub current: Option<usize>,
    pub tabs: [Option<Shown>; TABS],
    /// Counts the pages of a tab, so that a response can tell that its page has gone.
    pub visits: [u32; TABS],
    pub flights: Vec<Flight>,
    /// The items that the browser keeps, and those that the widget API has, each with its link.
    pub kept: Vec<(usize, String)>,
    pub accepted: Vec<(usize, String)>,
    pub truth: [Truth; LINKS],
}

/// The page in a tab.
#[derive(Debug, Clone)]
pub struct Shown {
    pub link: usize,
    pub session: String,
    pub page: String,
    /// The firm that the page names.
    pub firm: String,
    /// Connect is open, and will report this item.
    pub item: Option<String>,
}

/// A response in flight.
pub struct Flight {
    pub tab: usize,
    pub visit: u32,
    pub link: usize,
    pub kind: &'static str,
    pub answer: Answer,
    /// It starts a session of its link, and does not continue one.
    pub begins: bool,
    /// The link's firm when it was sent.
    pub firm: u32,
}

impl Flight {
    pub fn only_reads(&self) -> bool {
        READING.contains(&self.kind)
    }
}

impl<'a> World<'a> {
    pub fn new(setting: &'a Setting, number: u32, abort: bool) -> Self {
        let world = Self {
            setting,
            number,
            abort,
            process: 0,
            jar: Jar::default(),
            current: None,
            tabs: Default::default(),
            visits: [0; TABS],
            flights: Vec::new(),
            kept: Vec::new(),
            accepted: Vec::new(),
            truth: Default::default(),
        };
        for link in 0..LINKS {
            world.name_firm(link);
            world.list_accounts_well(link);
        }
        world
    }

    pub fn list_accounts_well(&self, link: usize) {
        let accounts =
            json!([{ "bank": "B", "agency": "1", "number": "2", "name": name_of(link) }]);
        self.setting
            .app
            .upstream
            .on_for(&self.token(link), "list-accounts", Act::data(&accounts));
    }

    /// The widget API's current data of a link.
    pub fn name_firm(&self, link: usize) {
        let changes = [
            json!({}),
            json!({ "link_id": LINK_ID }),
            json!({ "widget_type": "update", "link_id": ITEM }),
        ];
        let mut changes = changes[link].clone();
        changes["client_name"] = name_of(link).into();
        changes["customer_id"] = self.truth[link].firm.into();
        changes["customer_name"] = firm_of(self.truth[link].firm).into();
        self.setting.app.upstream.on_for(
            &self.token(link),
            "validate-token",
            Act::data(&profile(changes)),
        );
    }

    pub fn token(&self, link: usize) -> String {
        format!("link-{link}-of-{}", self.number)
    }

    pub fn link_of(&self, token: &str) -> Option<usize> {
        (0..LINKS).find(|link| self.token(*link) == token)
    }

    /// Sends a request with the jar's cookie.
    pub async fn send(&self, mut request: Request<Body>) -> Answer {
        let headers = request.headers_mut();
        headers.insert(HOST, HOST_NAME.parse().unwrap());
        if let Some(cookies) = self.jar.header(self.codec()) {
            headers.insert(COOKIE, cookies);
        }
        // Each sequence has its own client address, because limits are tested elsewhere.
        let address = SocketAddr::from(((0x0a00_0000 + self.number).to_be_bytes(), 1));
        request.extensions_mut().insert(ConnectInfo(address));
        let answer = Answer::of(
            self.setting.processes[self.process]
                .0
                .clone()
                .oneshot(request)
                .await
                .unwrap(),
        )
        .await;
        assert!(
            !matches!(answer.status, 429 | 503),
            "no limit plays a part here: {answer:?}"
        );
        answer
    }

    pub fn codec(&self) -> &SessionCodec {
        &self.setting.app.state.codec
    }

    pub fn keep(&mut self, answer: &Answer) {
        self.jar.keep(answer, &self.setting.app.state.codec);
    }

    /// The session that the jar holds.
    pub fn session(&self) -> Option<Session> {
        self.jar.session(self.codec())
    }

    /// The link whose session the jar holds.
    pub fn held(&self) -> Option<usize> {
        self.link_of(self.session()?.token.expose())
    }

    /// The oldest item that the browser keeps for a link.
    pub fn kept_item(&self, link: usize) -> Option<String> {
        let kept = self.kept.iter().find(|(of, _)| *of == link);
        kept.map(|(_, item)| item.clone())
    }

    /// The jar's session without the data that a validation renews; only to be compared with
    /// itself.
    pub fn state_of_jar(&self) -> Option<Value> {
        let mut state = serde_json::to_value(self.session()?).unwrap();
        for renewed in ["c", "d", "x"] {
            state.as_object_mut().unwrap().remove(renewed);
        }
        Some(state)
    }
}
