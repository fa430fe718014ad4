//! Says that a call takes long.

use std::{cell::Cell, rc::Rc};

use leptos::prelude::*;

use super::page;

/// How long a call may take before the page says that it is slow, in milliseconds.
const SLOW_AFTER_MS: i32 = 8000;

/// Whether the pending call is slow.
#[derive(Clone)]
pub struct Slow {
    is_slow: RwSignal<bool>,
    timer: Rc<Cell<Option<page::Timer>>>,
}

impl Slow {
    pub fn new() -> Self {
        Self { is_slow: RwSignal::new(false), timer: Rc::default() }
    }

    pub fn signal(&self) -> RwSignal<bool> {
        self.is_slow
    }

    /// A call begins.
    pub fn begin(&self) {
        let is_slow = self.is_slow;
        self.timer.set(Some(page::Timer::start(SLOW_AFTER_MS, move || is_slow.set(true))));
    }

    /// The call has ended.
    pub fn end(&self) {
        self.timer.take();
        self.is_slow.set(false);
    }
}
