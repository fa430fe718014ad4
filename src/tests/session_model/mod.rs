//! State between requests: random sequences in two tabs with three links, failed calls and lost
//! responses, checked against a reference model. The widget API sets another `XSRF-TOKEN` with each
//! response.
//!
//! The model knows the calls to the widget API and the responses to the browser, but no cookie. All
//! tabs share the browser's cookies. Overlapping changes of one session are not modelled: the last
//! response wins (docs/deviations.md).

mod truth;
mod world;

use std::cell::Cell;

use proptest::{
    prelude::*,
    test_runner::{Config as Runs, TestRunner},
};
use vincula_testing::ScriptedApi;

use crate::routes;

use self::{truth::Broken, world::World};
use super::TestApp;

/// How many sequences a run tries; `MODEL_SEQUENCES` overrides it.
const SEQUENCES: u32 = 150;

/// Longest sequence. One client may send 600 actions at once, which this stays below.
const LONGEST: usize = 24;

const TABS: usize = 2;

/// The links: of a new client, of another one with a link to update, and for an update.
const LINKS: usize = 3;
const NEW: usize = 0;
const UPDATE: usize = 2;

/// A step of a person or a bank.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// Opens a link in a tab.
    Open { tab: usize, link: usize },
    /// The bank sends the client back. `link`: whose link the return names; `None` for none.
    Return { tab: usize, link: Option<usize> },
    /// Does what the tab's page is for.
    Act { tab: usize, result: CallResult },
    /// Cancels everything from the tab.
    Cancel { tab: usize, result: CallResult },
    /// Closes Connect in the tab.
    Close { tab: usize, result: CallResult },
    /// The tab submits an item that the browser keeps.
    Again { tab: usize, result: CallResult },
    /// Goes to a page by its address.
    Look { tab: usize, page: &'static str },
}

/// What becomes of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallResult {
    Succeeds,
    /// The widget API rejects the call.
    Fails,
    /// The response never arrives: the browser's session stays as it was.
    Lost,
}

const PAGES: [&str; 7] = [
    routes::ACCOUNTS,
    routes::WIDGET,
    routes::INTEGRATE,
    routes::UPDATE,
    "/integration/success",
    routes::CANCEL_CONFIRM,
    "/cancel/success",
];

fn step() -> impl Strategy<Value = Step> {
    let (tab, link) = (|| 0..TABS, || 0..LINKS);
    let result = || {
        prop_oneof![
            8 => Just(CallResult::Succeeds),
            1 => Just(CallResult::Fails),
            1 => Just(CallResult::Lost),
        ]
    };
    prop_oneof![
        3 => (tab(), link()).prop_map(|(tab, link)| Step::Open { tab, link }),
        2 => (tab(), prop::option::of(link())).prop_map(|(tab, link)| Step::Return { tab, link }),
        10 => (tab(), result()).prop_map(|(tab, result)| Step::Act { tab, result }),
        2 => (tab(), result()).prop_map(|(tab, result)| Step::Cancel { tab, result }),
        1 => (tab(), result()).prop_map(|(tab, result)| Step::Close { tab, result }),
        1 => (tab(), result()).prop_map(|(tab, result)| Step::Again { tab, result }),
        4 => (tab(), prop::sample::select(&PAGES[..]))
            .prop_map(|(tab, page)| Step::Look { tab, page }),
    ]
}

/// Runs random sequences until one violates an invariant, and shrinks that one.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a setting of this test, not of the product"
)]
fn random_sequences_lose_nothing_and_show_nothing_untrue() {
    let sequences =
        std::env::var("MODEL_SEQUENCES").map_or(SEQUENCES, |text| text.parse().expect("a number"));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let app = runtime.block_on(async {
        let app = TestApp::with_upstream(ScriptedApi::start().await, &[]);
        app.upstream.rotate_xsrf();
        app
    });
    let runs = Runs {
        cases: sequences,
        max_shrink_iters: 2_000,
        failure_persistence: None,
        ..Runs::default()
    };
    let number = Cell::new(0);
    let steps = prop::collection::vec(step(), 1..=LONGEST);
    let explored = TestRunner::new(runs).run(&steps, |steps| {
        number.set(number.get() + 1);
        let played = runtime.block_on(play(&app, number.get(), &steps));
        played.map_err(|broken| TestCaseError::fail(format!("{broken:?}")))
    });
    if let Err(error) = explored {
        panic!("{error}");
    }
}

/// Runs a sequence.
async fn play(app: &TestApp, number: u32, steps: &[Step]) -> Result<(), Broken> {
    app.upstream.forget();
    let mut world = World::new(app, number);
    for step in steps {
        world.take(*step).await?;
    }
    world.end().await
}
