//! State between requests: random sequences of two tabs, three links, returns from the bank,
//! navigations from other sites, late and lost responses, double clicks, failed calls, links of
//! another firm and replaced processes, checked against a reference model. The widget API sets
//! another `XSRF-TOKEN` with each response.
//!
//! The model knows the calls to the widget API and the responses to the browser, but no cookie. A
//! browser is a cookie jar that all tabs share: a request carries the jar's cookie when it is sent,
//! a response changes the jar when it arrives, which may be much later and in another order.
//!
//! Not modelled, because the server cannot detect it (docs/security.md, "Concurrent responses"):
//! - When a page of another link has opened, the browser aborts the requests of older pages
//!   (`abort`). Responses that arrive before it has done so are not modelled.
//! - Two different changes of one session are never in flight at once: the last response to arrive
//!   would win. A page that is viewed meanwhile may show the state before. Responses of lists and
//!   polls arrive whenever they like, also after a cancellation: they write no session.
//! - Once Connect is open, a navigation from another site to `/?of-success` cannot be distinguished
//!   from the bank's.

mod acts;
mod checks;
mod network;
mod pages;
mod steps;
mod truth;
mod world;

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use axum::Router;
use proptest::{
    prelude::*,
    test_runner::{Config as Runs, TestError, TestRunner},
};
use vincula_testing::ScriptedApi;
use vincula_upstream::Upstream;

use self::{
    steps::{How, Step, step},
    truth::Broken,
    world::World,
};
use super::TestApp;

/// How many sequences a run tries; `MODEL_SEQUENCES` overrides it.
const SEQUENCES: u32 = 150;

/// Longest sequence. The rate limit of one link is 60 actions at once, which this stays below.
const LONGEST: usize = 24;

/// Two processes with one widget API, shared by all sequences.
struct Setting {
    processes: [(Router, Upstream); 2],
    app: TestApp,
    sequences: AtomicU32,
}

impl Setting {
    async fn build() -> Self {
        let app = TestApp::with_upstream(ScriptedApi::start().await, &[]);
        app.upstream.rotate_xsrf();
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
