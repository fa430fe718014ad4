//! State between requests: random sequences of two tabs, three links, returns from the bank,
//! navigations from other sites, late and lost responses, double clicks, failed calls, links of
//! another firm, long pauses and replaced processes, checked against a reference model.
//!
//! The model knows the calls to the widget API and the responses to the browser, but no cookie. A
//! browser is a cookie jar that all tabs share: a request carries the jar's cookie when it is sent,
//! a response changes the jar when it arrives, which may be much later and in another order.
//!
//! Not modelled, because the server cannot detect it (docs/security.md, "Concurrent responses"):
//! - When a page of another link has opened, the browser aborts the requests of older pages
//!   (`abort`). Responses that arrive before it has done so are not modelled.
//! - Two different changes of one session are never in flight at once: the last response to arrive
//!   would win. A page that is viewed meanwhile may show the state before. Responses that only
//!   renew the idle time arrive whenever they like.
//! - Once Connect is open, a navigation from another site to `/?of-success` cannot be distinguished
//!   from the bank's.

use std::{
    collections::{HashMap, HashSet},
    fmt::Display,
    net::SocketAddr,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use axum::{
    Router,
    body::Body,
    extract::ConnectInfo,
    http::{
        Request,
        header::{COOKIE, HOST},
    },
};
use proptest::{
    prelude::*,
    test_runner::{Config as Runs, TestError, TestRunner},
};
use serde_json::{Value, json};
use tower::ServiceExt;
use vincula_testing::{Received, ScriptedApi};
use vincula_upstream::Upstream;

use super::{
    Act, Answer, FORM, HOST_NAME, ITEM, Jar, LINK_ID, OWN, TestApp, bank_form, json_request,
    profile, site::TEXT,
};
use crate::session::{Session, SessionCodec};

/// How many sequences a run tries; `MODEL_SEQUENCES` overrides it.
const SEQUENCES: u32 = 150;

/// Longest sequence. The rate limit of one link is 60 actions at once, which this stays below.
const LONGEST: usize = 24;

const TABS: usize = 2;

/// The links: of a new client, of another one with a link to update, and for an update.
const LINKS: usize = 3;
const NEW: usize = 0;
const UPDATE: usize = 2;

/// A step of a person, a bank or the network.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// Opens a link in a tab.
    Open { tab: usize, link: usize, late: bool },
    /// The bank sends the client of a link back, with or without the link's token.
    Return {
        tab: usize,
        link: usize,
        named: bool,
        late: bool,
    },
    /// Sends the action of the tab's page.
    Act { tab: usize, how: How },
    /// Cancels everything from the tab.
    Cancel { tab: usize, how: How, native: bool },
    /// Sends an action of the tab's page that changes nothing but the idle time. `pause`: after a
    /// [`Step::Pause`].
    Ask {
        tab: usize,
        action: usize,
        late: bool,
        pause: bool,
    },
    /// Goes to a page by its address.
    Look { tab: usize, page: usize },
    /// Another site navigates a tab to a page, or to the return address of banks.
    Sent {
        tab: usize,
        page: Option<usize>,
        late: bool,
    },
    /// The session is unused until its idle time is due to be renewed.
    Pause,
    /// The widget API names another firm for a link from now on.
    OtherFirm { link: usize },
    /// A late response arrives.
    Arrive { which: usize },
    /// All pending responses arrive, and another process takes over.
    Replace,
}

/// Variations of an action.
#[derive(Debug, Clone, Copy)]
struct How {
    /// Its response waits for [`Step::Arrive`].
    late: bool,
    /// Sent twice at the same time.
    twice: bool,
    /// The widget API rejects the call.
    fails: bool,
    /// Its response never arrives: the browser's session stays as it was.
    lost: bool,
}

const PAGES: [&str; 6] = [
    "/integration/accounts",
    "/integration/widget",
    "/integration/update",
    "/integration/success",
    "/cancel/confirm",
    "/cancel/success",
];

/// Actions that change nothing but the idle time.
const RENEWING: [&str; 4] = [
    "list_accounts",
    "list_banks",
    "check_session",
    "report_connect_error",
];

/// How long the session is unused in a [`Step::Pause`], in seconds: even a poll renews the idle
/// time then.
const PAUSE_SECS: u64 = 1_900;

fn step() -> impl Strategy<Value = Step> {
    let (tab, link) = (|| 0..TABS, || 0..LINKS);
    let rarely = || prop::bool::weighted(0.25);
    let how = move || {
        let seldom = || prop::bool::weighted(0.1);
        (rarely(), rarely(), seldom(), seldom()).prop_map(|(late, twice, fails, lost)| How {
            late,
            twice,
            fails,
            lost,
        })
    };
    prop_oneof![
        3 => (tab(), link(), rarely()).prop_map(|(tab, link, late)| Step::Open { tab, link, late }),
        2 => (tab(), link(), any::<bool>(), rarely())
            .prop_map(|(tab, link, named, late)| Step::Return { tab, link, named, late }),
        10 => (tab(), how()).prop_map(|(tab, how)| Step::Act { tab, how }),
        2 => (tab(), how(), any::<bool>()).prop_map(|(tab, how, native)| Step::Cancel { tab, how, native }),
        3 => (tab(), 0..RENEWING.len(), any::<bool>(), any::<bool>())
            .prop_map(|(tab, action, late, pause)| Step::Ask { tab, action, late, pause }),
        4 => (tab(), 0..PAGES.len()).prop_map(|(tab, page)| Step::Look { tab, page }),
        2 => (tab(), prop::option::of(0..PAGES.len()), rarely())
            .prop_map(|(tab, page, late)| Step::Sent { tab, page, late }),
        1 => Just(Step::Pause),
        2 => (0..4_usize).prop_map(|which| Step::Arrive { which }),
        1 => link().prop_map(|link| Step::OtherFirm { link }),
        1 => Just(Step::Replace),
    ]
}

/// An invariant that was violated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Broken {
    /// A page or a response shows another client than the link that was opened last.
    ShowsAnother,
    /// A call went out for another link than the page's.
    ActsOnAnother,
    /// The newest link's own page is rejected, because a late response has put another session into
    /// the jar.
    PutBack,
    /// A page is rejected as "another link" although it is of the link that was opened last.
    OwnLinkRefused,
    /// A page of an older link is not rejected.
    OldLinkActs,
    /// Pages of one link name different sessions.
    TwoSessions,
    /// A page shows a cancellation that has not happened.
    FalselyCancelled,
    /// A page shows a linking that has not happened.
    FalselyLinked,
    /// The success of a linking was reported twice.
    ToldTwice,
    /// An action confirmed a success that the upstream does not know.
    NeverTold,
    /// An item was not reported upstream as often as Connect gave it.
    Item,
    /// Connect was opened or finished without a consent, before one or after its end.
    WithoutConsent,
    /// A consent went out for another firm than the page's.
    ForAnotherFirm,
    /// The accounts page contradicts the consent, the cancellation or the renewal.
    AccountsUntrue,
    /// A response that only renews the idle time has put an older state back.
    RenewedOlder,
    /// A navigation from another site has changed more than the idle time and the client's data.
    ChangedFromElsewhere,
}

/// Two processes with one widget API, shared by all sequences.
struct Setting {
    processes: [(Router, Upstream); 2],
    app: TestApp,
    sequences: AtomicU32,
}

impl Setting {
    async fn build() -> Self {
        let app = TestApp::with_upstream(ScriptedApi::start().await, &[]);
        let base = app.upstream.base();
        let process = || TestApp::process(&base, &[]);
        let processes =
            [process(), process()].map(|(router, state)| (router, state.upstream.clone()));
        Self {
            processes,
            app,
            sequences: AtomicU32::new(0),
        }
    }

    /// Runs a sequence.
    async fn play(&self, steps: &[Step], abort: bool) -> Result<(), Broken> {
        let number = self.sequences.fetch_add(1, Relaxed);
        self.app.upstream.forget();
        let mut world = World::new(self, number, abort);
        for step in steps {
            world.take(*step).await?;
        }
        world.end().await
    }
}

/// One sequence: a browser, and the model's state.
struct World<'a> {
    setting: &'a Setting,
    number: u32,
    /// A page of another link aborts the requests of older pages.
    abort: bool,
    /// Index of the process that serves.
    process: usize,
    jar: Jar,
    /// The link that was opened last, of those whose response has arrived.
    current: Option<usize>,
    tabs: [Option<Shown>; TABS],
    /// Counts the pages of a tab, so that a response can tell that its page has gone.
    visits: [u32; TABS],
    flights: Vec<Flight>,
    truth: [Truth; LINKS],
}

/// The page in a tab.
#[derive(Debug, Clone)]
struct Shown {
    link: usize,
    session: String,
    page: String,
    /// The firm that the page names.
    firm: String,
    /// Connect is open, and will report this item.
    item: Option<String>,
}

/// A response in flight.
struct Flight {
    tab: usize,
    visit: u32,
    link: usize,
    kind: &'static str,
    answer: Answer,
    /// It starts a session of its link, and does not continue one.
    begins: bool,
    /// The link's firm when it was sent.
    firm: u32,
}

impl Flight {
    fn only_renews(&self) -> bool {
        RENEWING.contains(&self.kind)
    }
}

/// The model's state of a link.
#[derive(Debug, Clone, Default)]
struct Truth {
    /// The session's id on the first page that was seen.
    id: Option<String>,
    /// All was cancelled, and nothing linked since.
    cancelled: bool,
    /// Something was linked since the last cancellation.
    linked: bool,
    /// A success call is due, as far as the browser's session knows.
    due: bool,
    /// How often Connect was opened.
    openings: u32,
    /// In the browser's session: Connect was opened for the bank that was chosen last.
    opened: bool,
    /// The items of the last opening.
    given: Vec<String>,
    /// The bank has sent the client back, and Connect has not named the item.
    returned: bool,
    /// Every item that Connect has given, once for each opening.
    items: Vec<String>,
    /// Items whose response was lost; the browser may report them again.
    lost: Vec<String>,
    /// The success call of the last linking was made, but its response was lost.
    told_in_vain: bool,
    /// The firm, by the widget API and by the browser's session.
    firm: u32,
    session_firm: u32,
    /// In the browser's session: the firm is authorized; all was cancelled; the item was renewed.
    consented: bool,
    ended: bool,
    renewed: bool,
}

impl<'a> World<'a> {
    fn new(setting: &'a Setting, number: u32, abort: bool) -> Self {
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
            truth: Default::default(),
        };
        for link in 0..LINKS {
            world.name_firm(link);
            world.list_accounts_well(link);
        }
        world
    }

    fn list_accounts_well(&self, link: usize) {
        let accounts =
            json!([{ "bank": "B", "agency": "1", "number": "2", "name": name_of(link) }]);
        self.setting
            .app
            .upstream
            .on_for(&self.token(link), "list-accounts", Act::data(&accounts));
    }

    /// The widget API's current data of a link.
    fn name_firm(&self, link: usize) {
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

    fn token(&self, link: usize) -> String {
        format!("link-{link}-of-{}", self.number)
    }

    fn link_of(&self, token: &str) -> Option<usize> {
        (0..LINKS).find(|link| self.token(*link) == token)
    }

    async fn take(&mut self, step: Step) -> Result<(), Broken> {
        match step {
            Step::Open { tab, link, late } => {
                let query = format!("?token={}", self.token(link));
                self.validate(tab, link, "open", &query, late).await
            }
            Step::Return {
                tab,
                link,
                named: true,
                late,
            } => {
                let query = format!("?token={}&of-success", self.token(link));
                self.validate(tab, link, "return", &query, late).await
            }
            Step::Return {
                tab,
                named: false,
                late,
                ..
            } => self.come_back(tab, late).await,
            Step::Act { tab, how } => self.act(tab, how).await,
            Step::Cancel { tab, how, native } => self.cancel(tab, how, native).await,
            Step::Ask {
                tab,
                action,
                late,
                pause,
            } => {
                if pause {
                    self.pause();
                }
                self.ask(tab, RENEWING[action], late).await
            }
            Step::Look { tab, page } if self.jar.session.is_some() => {
                self.go(tab, PAGES[page]).await
            }
            Step::Look { .. } => Ok(()),
            Step::Sent {
                tab,
                page: None,
                late,
            } => self.come_back(tab, late).await,
            Step::Sent {
                tab,
                page: Some(page),
                ..
            } if self.jar.session.is_some() => {
                let before = self.state_of_jar();
                self.go_from(tab, PAGES[page], "cross-site").await?;
                self.check_unchanged(&before)
            }
            Step::Sent { .. } => Ok(()),
            Step::Pause => {
                self.pause();
                Ok(())
            }
            Step::Arrive { which } if !self.flights.is_empty() => {
                let flight = self.flights.remove(which % self.flights.len());
                self.arrive(flight).await
            }
            Step::Arrive { .. } => Ok(()),
            Step::OtherFirm { link } => {
                // A late response of the previous firm would restore that firm's session with its
                // cancellation. This is correct, but not modelled.
                self.make_way(link, "", false).await?;
                self.truth[link].firm += 1;
                self.name_firm(link);
                Ok(())
            }
            Step::Replace => {
                self.all_arrive().await?;
                self.setting.processes[self.process].1.drain().await;
                self.process = 1 - self.process;
                Ok(())
            }
        }
    }

    /// Opens the return address without a token, as the bank or another site does. Before Connect
    /// is open, only another site can do so.
    async fn come_back(&mut self, tab: usize, late: bool) -> Result<(), Broken> {
        let Some(link) = self.held() else {
            return Ok(());
        };
        self.make_way(link, "return", false).await?;
        let Some(link) = self.held() else {
            return Ok(());
        };
        let truth = &self.truth[link];
        let is_checked = !truth.opened && truth.session_firm == truth.firm;
        let before = self.state_of_jar();
        self.validate(tab, link, "return", "?of-success", late)
            .await?;
        if is_checked && !late {
            self.check_unchanged(&before)
        } else {
            Ok(())
        }
    }

    /// Sends an action that changes nothing. Its response may arrive at any time.
    async fn ask(&mut self, tab: usize, action: &'static str, late: bool) -> Result<(), Broken> {
        let Some(shown) = self.tabs[tab].clone() else {
            return Ok(());
        };
        let input = match action {
            "report_connect_error" => json!({ "message": "closed", "itemId": null }),
            _ => json!({}),
        };
        let how = How {
            late,
            twice: false,
            fails: false,
            lost: false,
        };
        self.does(tab, &shown, (action, "", input), how).await
    }

    /// Time passes without a use of the session.
    fn pause(&mut self) {
        let Some(session) = self.session() else {
            return;
        };
        let unused = Session {
            seen_at: self.codec().now() - PAUSE_SECS,
            ..session
        };
        self.jar = Jar::of(&unused, self.codec());
    }

    /// The page at the entry posts its link.
    async fn validate(
        &mut self,
        tab: usize,
        link: usize,
        kind: &'static str,
        query: &str,
        late: bool,
    ) -> Result<(), Broken> {
        let begins = self.held() != Some(link);
        self.make_way(link, kind, begins).await?;
        // A response that has arrived may have changed the jar's session.
        let begins = self.held() != Some(link);
        self.leave(tab);
        let body = json!({ "input": { "query": query } });
        let answer = self.send(json_request("/api/validate_token", &body)).await;
        let truth = &mut self.truth[link];
        if kind == "return" && answer.status == 200 {
            if begins {
                truth.begin();
            }
            let counts = query.contains("token=") || truth.opened;
            if counts && (begins || truth.session_firm == truth.firm) {
                truth.come_back(link);
            }
        }
        let firm = truth.firm;
        let flight = Flight {
            tab,
            visit: self.visits[tab],
            link,
            kind,
            answer,
            begins,
            firm,
        };
        self.launch(flight, late).await
    }

    /// Sends the action of the tab's page.
    async fn act(&mut self, tab: usize, how: How) -> Result<(), Broken> {
        let Some(shown) = self.tabs[tab].clone() else {
            return Ok(());
        };
        let (action, call, input) = match (&*shown.page, &shown.item) {
            ("consent", _) => (
                "accept_consent",
                "authorize-customer",
                json!({ "text": &TEXT[..8] }),
            ),
            ("bank-form", _) => ("save_bank_form", "", bank_form()),
            ("connect", None) => ("open_connect", "connect-token", json!({})),
            ("connect", Some(item)) => (
                "finish_connect",
                "update-link-account",
                json!({ "itemId": item }),
            ),
            ("success", _) => ("confirm_success", "success", json!({})),
            ("cancel-confirm", _) => ("cancel_integrations", "cancel-integrations", json!({})),
            ("accounts", _) if how.twice => return self.go(tab, "/integration/widget").await,
            ("accounts", _) => ("list_accounts", "list-accounts", json!({})),
            _ => return Ok(()),
        };
        self.does(tab, &shown, (action, call, input), how).await
    }

    async fn cancel(&mut self, tab: usize, how: How, native: bool) -> Result<(), Broken> {
        let Some(shown) = self.tabs[tab].clone() else {
            return Ok(());
        };
        if !native {
            return self
                .does(
                    tab,
                    &shown,
                    ("cancel_integrations", "cancel-integrations", json!({})),
                    how,
                )
                .await;
        }
        // A native form leaves the page, so its response arrives before the next step.
        self.all_arrive().await?;
        let Some(shown) = self.tabs[tab].clone() else {
            return Ok(());
        };
        let own = self.is_own(&shown);
        let before = self.calls().len();
        let request = Request::post("/cancel/confirm")
            .header(OWN.0, OWN.1)
            .header(FORM.0, FORM.1);
        let answer = self
            .send(
                request
                    .body(Body::from(format!("session={}", shown.session)))
                    .unwrap(),
            )
            .await;
        let to = answer.location().unwrap_or_default().to_owned();
        self.check_calls(before, shown.link, own)?;
        if own && to != "/cancel/success" {
            return Err(self.refused(shown.link));
        }
        if own {
            self.truth[shown.link].cancel();
        }
        self.keep(&answer);
        self.go(tab, &to).await
    }

    /// Sends an action of a page once or twice, and checks the responses.
    async fn does(
        &mut self,
        tab: usize,
        shown: &Shown,
        (action, call, mut input): (&'static str, &str, Value),
        how: How,
    ) -> Result<(), Broken> {
        if !RENEWING.contains(&action) {
            self.make_way(shown.link, action, false).await?;
        }
        let (token, own) = (self.token(shown.link), self.is_own(shown));
        let fails = how.fails && !call.is_empty();
        if fails {
            self.setting
                .app
                .upstream
                .on_for(&token, call, Act::error(500, "out of order"));
        }
        input["session"] = shown.session.clone().into();
        let body = json!({ "input": input });
        let path = format!("/api/{action}");
        let before = self.calls().len();
        let answers: Vec<_> = if how.twice {
            let send = || self.send(json_request(&path, &body));
            <[Answer; 2]>::from(tokio::join!(send(), send())).into()
        } else {
            vec![self.send(json_request(&path, &body)).await]
        };
        self.check_calls(before, shown.link, own)?;
        self.check_consent(before, shown)?;
        if fails {
            self.setting.app.upstream.well_for(&token, call);
            self.list_accounts_well(shown.link);
        }
        let told = self.calls()[before..]
            .iter()
            .filter(|call| call.line == "POST /success")
            .count();
        for (index, answer) in answers.iter().enumerate() {
            let refused = answer.status == 401 || answer.text.contains("other_tab");
            match (own, refused) {
                (true, true) => return Err(self.refused(shown.link)),
                (false, false) => return Err(Broken::OldLinkActs),
                _ => {}
            }
            match (how.lost, action) {
                _ if answer.status != 200 => {}
                (false, _) => self.note(shown, action, answer, index, told)?,
                (true, "finish_connect") if index == 0 => {
                    self.truth[shown.link].lost.extend(shown.item.clone())
                }
                (true, "confirm_success") => self.truth[shown.link].told_in_vain = true,
                _ => {}
            }
        }
        if how.lost {
            return Ok(());
        }
        for answer in answers {
            let (visit, link, firm) = (self.visits[tab], shown.link, self.truth[shown.link].firm);
            let flight = Flight {
                tab,
                visit,
                link,
                kind: action,
                answer,
                begins: false,
                firm,
            };
            self.launch(flight, how.late).await?;
        }
        Ok(())
    }

    /// Updates the model after a successful action, and compares.
    fn note(
        &mut self,
        shown: &Shown,
        action: &str,
        answer: &Answer,
        index: usize,
        told: usize,
    ) -> Result<(), Broken> {
        let truth = &mut self.truth[shown.link];
        match action {
            "save_bank_form" => truth.opened = false,
            "open_connect" if index == 0 => {
                truth.forget_attempt();
                truth.opened = true;
                truth.openings += 1;
            }
            "finish_connect" if index == 0 => {
                let item = shown.item.clone().expect("Connect has given it");
                truth.link(item);
                truth.renewed = true;
            }
            "confirm_success" => {
                if index == 0 && told > usize::from(truth.due) {
                    return Err(Broken::ToldTwice);
                }
                // A process that has made the call for a lost response does not repeat it.
                if told > 0 || truth.told_in_vain {
                    truth.due = false;
                }
                if truth.due {
                    return Err(Broken::NeverTold);
                }
            }
            "accept_consent" => truth.consented = true,
            "cancel_integrations" => truth.cancel(),
            "list_accounts" if !answer.text.contains(&name_of(shown.link)) => {
                return Err(Broken::ShowsAnother);
            }
            _ => {}
        }
        Ok(())
    }

    /// Lets other changes of the same session arrive first, so that two are never in flight at
    /// once.
    async fn make_way(&mut self, link: usize, kind: &str, begins: bool) -> Result<(), Broken> {
        let in_the_way = |flight: &Flight| {
            flight.link == link
                && !flight.only_renews()
                && (flight.kind != kind || flight.begins != begins)
        };
        while let Some(at) = self.flights.iter().position(in_the_way) {
            let flight = self.flights.remove(at);
            self.arrive(flight).await?;
        }
        Ok(())
    }

    async fn launch(&mut self, flight: Flight, late: bool) -> Result<(), Broken> {
        if late {
            self.flights.push(flight);
            return Ok(());
        }
        self.arrive(flight).await
    }

    async fn all_arrive(&mut self) -> Result<(), Broken> {
        while !self.flights.is_empty() {
            let flight = self.flights.remove(0);
            self.arrive(flight).await?;
        }
        Ok(())
    }

    /// A response arrives: the jar takes its cookie, and its page follows it if it is still shown.
    async fn arrive(&mut self, flight: Flight) -> Result<(), Broken> {
        let is_entry = matches!(flight.kind, "open" | "return");
        let before = self.state_of_jar();
        self.keep(&flight.answer);
        if flight.only_renews() && self.state_of_jar() != before {
            return Err(Broken::RenewedOlder);
        }
        if is_entry && flight.answer.status == 200 {
            if self.abort && self.current != Some(flight.link) {
                self.flights.retain(|other| {
                    matches!(other.kind, "open" | "return") || other.link == flight.link
                });
            }
            let truth = &mut self.truth[flight.link];
            let is_other = truth.session_firm != flight.firm;
            if flight.begins || is_other {
                truth.begin();
            }
            if is_other {
                truth.id = None;
            }
            // A session begins with a token only.
            if flight.begins && flight.kind == "return" {
                truth.come_back(flight.link);
            }
            truth.session_firm = flight.firm;
            self.current = Some(flight.link);
        }
        if self.visits[flight.tab] != flight.visit {
            return Ok(());
        }
        if flight.answer.status != 200 {
            return Ok(());
        }
        if flight.kind == "open_connect" {
            let item = self.item(flight.link);
            if let Some(shown) = &mut self.tabs[flight.tab] {
                shown.item.get_or_insert(item);
            }
            return Ok(());
        }
        match flight.answer.json()["to"].as_str() {
            Some(to) => self.go(flight.tab, to).await,
            None => Ok(()),
        }
    }

    /// The item that Connect reports in this opening. An update renews the same item each time.
    fn item(&self, link: usize) -> String {
        if link == UPDATE {
            ITEM.to_owned()
        } else {
            format!("item-{link}-{}-{}", self.number, self.truth[link].openings)
        }
    }

    /// The tab follows a link of the product.
    async fn go(&mut self, tab: usize, path: &str) -> Result<(), Broken> {
        self.go_from(tab, path, OWN.1).await
    }

    /// The tab opens a page, following redirects, and the page must agree with the model. `site` is
    /// the origin of the link.
    async fn go_from(&mut self, tab: usize, path: &str, site: &str) -> Result<(), Broken> {
        self.leave(tab);
        let mut at = path.to_owned();
        for _ in 0..5 {
            let request = Request::get(&at).header(OWN.0, site);
            let answer = self.send(request.body(Body::empty()).unwrap()).await;
            self.keep(&answer);
            let cancelled = self
                .current
                .is_some_and(|link| self.truth[link].cancelled || self.is_changing(link));
            if answer.location() == Some("/cancel/success") && !cancelled {
                return Err(Broken::FalselyCancelled);
            }
            match answer.location() {
                Some(to) => at = to.to_owned(),
                None => return self.show(tab, &answer),
            }
        }
        panic!("{path} leads around in circles")
    }

    fn show(&mut self, tab: usize, answer: &Answer) -> Result<(), Broken> {
        let page = answer.page().unwrap_or_default().to_owned();
        if matches!(&*page, "error" | "entry" | "not-found") {
            // The newest link's session must exist on every page.
            return if self.current.is_some() && page == "error" {
                Err(Broken::PutBack)
            } else {
                Ok(())
            };
        }
        let link = self.current.ok_or(Broken::ShowsAnother)?;
        let is_changing = self.is_changing(link);
        let truth = &mut self.truth[link];
        match &*page {
            "cancel-success" if !truth.cancelled && !is_changing => {
                return Err(Broken::FalselyCancelled);
            }
            "success" if !truth.linked && !is_changing => return Err(Broken::FalselyLinked),
            "cancel-success" => return Ok(()),
            _ => {}
        }
        let context = answer.context();
        if context["clientName"] != name_of(link) {
            return Err(Broken::ShowsAnother);
        }
        let session = context["session"].as_str().unwrap_or_default().to_owned();
        if *truth.id.get_or_insert_with(|| session.clone()) != session {
            return Err(Broken::TwoSessions);
        }
        let firm = context["customerName"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        if page == "accounts" && !is_changing {
            let is_due = link == UPDATE && !truth.renewed && !truth.ended;
            let is_cancelled = truth.ended && !truth.consented;
            let says = (
                &context["authorized"],
                context["cancelledAt"].is_string(),
                &context["renewalDue"],
            );
            if says != (&json!(truth.consented), is_cancelled, &json!(is_due)) {
                return Err(Broken::AccountsUntrue);
            }
        }
        self.tabs[tab] = Some(Shown {
            link,
            session,
            page,
            firm,
            item: None,
        });
        Ok(())
    }

    /// Whether a page is of the link that was opened last, and of the firm that its session has.
    fn is_own(&self, shown: &Shown) -> bool {
        self.current == Some(shown.link)
            && shown.firm == firm_of(self.truth[shown.link].session_firm)
    }

    /// Whether a response in flight changes a link's session.
    fn is_changing(&self, link: usize) -> bool {
        self.flights
            .iter()
            .any(|flight| flight.link == link && !flight.only_renews())
    }

    fn leave(&mut self, tab: usize) {
        self.tabs[tab] = None;
        self.visits[tab] += 1;
    }

    /// Sends a request with the jar's cookie.
    async fn send(&self, mut request: Request<Body>) -> Answer {
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

    fn codec(&self) -> &SessionCodec {
        &self.setting.app.state.codec
    }

    fn keep(&mut self, answer: &Answer) {
        self.jar.keep(answer, &self.setting.app.state.codec);
    }

    /// The session that the jar holds.
    fn session(&self) -> Option<Session> {
        self.jar.session(self.codec())
    }

    /// The link whose session the jar holds.
    fn held(&self) -> Option<usize> {
        self.link_of(self.session()?.token.expose())
    }

    /// The jar's session without its last use and the data that a validation renews; only to be
    /// compared with itself.
    fn state_of_jar(&self) -> Option<Value> {
        let mut state = serde_json::to_value(self.session()?).unwrap();
        for renewed in ["at", "c", "d", "x"] {
            state.as_object_mut().unwrap().remove(renewed);
        }
        Some(state)
    }

    fn check_unchanged(&self, before: &Option<Value>) -> Result<(), Broken> {
        if self.state_of_jar() == *before {
            Ok(())
        } else {
            Err(Broken::ChangedFromElsewhere)
        }
    }

    /// Why the server has rejected a page of the newest link.
    fn refused(&self, link: usize) -> Broken {
        if self.held() == Some(link) {
            Broken::OwnLinkRefused
        } else {
            Broken::PutBack
        }
    }

    fn calls(&self) -> Vec<Received> {
        self.setting.app.upstream.calls()
    }

    /// Checks the calls made since. Log calls run in the background, and are checked at the end.
    fn check_calls(&self, before: usize, link: usize, own: bool) -> Result<(), Broken> {
        for call in self.calls()[before..]
            .iter()
            .filter(|call| call.line != "POST /log")
        {
            if call.token() != Some(&self.token(link)) {
                return Err(Broken::ActsOnAnother);
            }
            if !own {
                return Err(Broken::OldLinkActs);
            }
        }
        Ok(())
    }

    /// Checks that the calls since then were covered by a consent: Connect, and the firm in the
    /// consent itself.
    fn check_consent(&self, before: usize, shown: &Shown) -> Result<(), Broken> {
        let truth = &self.truth[shown.link];
        let may_connect = truth.consented || (shown.link == UPDATE && !truth.ended);
        for call in &self.calls()[before..] {
            match &*call.line {
                "POST /connect-token" | "PUT /update-link-account" if !may_connect => {
                    return Err(Broken::WithoutConsent);
                }
                "POST /authorize-customer" if firm_of(&call.body["customer_id"]) != shown.firm => {
                    return Err(Broken::ForAnotherFirm);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Lets everything arrive, then checks that every item was reported as often as Connect gave
    /// it.
    async fn end(mut self) -> Result<(), Broken> {
        self.all_arrive().await?;
        for (_, upstream) in &self.setting.processes {
            upstream.drain().await;
        }
        // A repetition of the same success has the same key.
        let (mut logged, mut updated) =
            (HashMap::<_, HashSet<_>>::new(), HashMap::<_, usize>::new());
        for call in self.calls() {
            let link = call.token().and_then(|token| self.link_of(token));
            if call.body["type"] == "pluggy-widget-success" {
                let item = call.data_log()["item"]["id"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned();
                logged
                    .entry((link, item))
                    .or_default()
                    .extend(call.header("idempotency-key").map(str::to_owned));
            }
            if call.line == "PUT /update-link-account" {
                let item = call.body["link"].as_str().unwrap_or_default().to_owned();
                *updated.entry((link, item)).or_default() += 1;
            }
        }
        for (link, truth) in self.truth.iter().enumerate() {
            for item in &truth.items {
                let times = truth.items.iter().filter(|other| *other == item).count();
                let key = (Some(link), item.clone());
                let lost = truth.lost.iter().filter(|lost| *lost == item).count();
                let reported = logged.get(&key).map_or(0, HashSet::len);
                if !(times..=times + lost).contains(&reported)
                    || link != NEW && updated.get(&key).is_none_or(|sent| *sent < times)
                {
                    return Err(Broken::Item);
                }
            }
        }
        Ok(())
    }
}

impl Truth {
    /// Connect reports an item. It is another success, unless it is a repetition or the item of a
    /// return before it.
    fn link(&mut self, item: String) {
        if !self.given.contains(&item) {
            self.due |= !self.returned;
            self.told_in_vain &= self.returned;
            self.returned = false;
            self.given.push(item.clone());
            self.items.push(item);
        }
        (self.linked, self.cancelled) = (true, false);
    }

    /// The bank sends the client back. It is another success, unless the page is reloaded or
    /// Connect was first. An update's return leads to its own start, and a return to what was
    /// cancelled meanwhile links nothing.
    fn come_back(&mut self, link: usize) {
        if (link == UPDATE && !self.ended) || (self.ended && !self.consented) {
            return;
        }
        let is_new = !self.returned && self.given.is_empty();
        self.due |= is_new;
        self.told_in_vain &= !is_new;
        self.returned |= is_new;
        (self.linked, self.cancelled) = (true, false);
    }

    fn cancel(&mut self) {
        (self.linked, self.cancelled, self.due) = (false, true, false);
        (self.consented, self.ended) = (false, true);
        self.forget_attempt();
    }

    /// A new session of the link starts in the browser, without the state of the one before.
    fn begin(&mut self) {
        (self.due, self.told_in_vain) = (false, false);
        (self.consented, self.ended, self.renewed) = (false, false, false);
        self.forget_attempt();
    }

    fn forget_attempt(&mut self) {
        self.given.clear();
        self.returned = false;
        self.opened = false;
    }
}

/// The name of a firm by its number, which is its id.
fn firm_of(id: impl Display) -> String {
    format!("Firma {id}")
}

fn name_of(link: usize) -> String {
    format!("Cliente {link} Ltda")
}

/// Runs random sequences until one violates an invariant, and shrinks that one.
fn explore(sequences: u32, abort: bool) -> Result<(), TestError<Vec<Step>>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let setting = runtime.block_on(Setting::build());
    let runs = Runs {
        cases: sequences,
        max_shrink_iters: 2_000,
        failure_persistence: None,
        ..Runs::default()
    };
    let sequence = prop::collection::vec(step(), 1..=LONGEST);
    TestRunner::new(runs).run(&sequence, |steps| {
        let played = runtime.block_on(setting.play(&steps, abort));
        played.map_err(|broken| TestCaseError::fail(format!("{broken:?}")))
    })
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a setting of this test, not of the product"
)]
fn random_sequences_lose_nothing_and_show_nothing_untrue() {
    let sequences =
        std::env::var("MODEL_SEQUENCES").map_or(SEQUENCES, |text| text.parse().expect("a number"));
    if let Err(error) = explore(sequences, true) {
        panic!("{error}");
    }
}

/// A race that the server cannot detect: if pages do not abort their requests, a late response of
/// the older link restores its session, and the page of the newest link is rejected.
#[test]
fn late_response_restores_older_session_unless_page_aborts_it() {
    let how = How {
        late: true,
        twice: false,
        fails: false,
        lost: false,
    };
    let open = |tab, link| Step::Open {
        tab,
        link,
        late: false,
    };
    let act = |tab, how| Step::Act { tab, how };
    let steps = [
        open(0, 0),
        act(0, how),
        open(1, 1),
        Step::Arrive { which: 0 },
        act(1, How { late: false, ..how }),
    ];
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let played = runtime.block_on(async {
        let setting = Setting::build().await;
        (
            setting.play(&steps, false).await,
            setting.play(&steps, true).await,
        )
    });
    assert_eq!(played, (Err(Broken::ShowsAnother), Ok(())));
}
