//! Where a response leads, in the browser: a path with a query, followed exactly as the server
//! wrote it.
//!
//! The parts are not parsed, because the server may be newer and have pages that this version does
//! not know, and because the parser would make the wasm module larger.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    problem::Problem,
    routes::{self, Page},
};

/// Where a response leads: a path with a query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Destination(String);

impl Destination {
    /// The error screen of an outage: the link is not to blame.
    pub fn outage() -> Self {
        let Self(screen) = Problem::TokenInvalid.into();
        Self(format!("{screen}?{}", routes::OUTAGE))
    }

    /// Whether it is an error screen.
    pub fn is_error(&self) -> bool {
        let path = self.0.split_once('?').map_or(&*self.0, |(path, _)| path);
        Page::at(path) == Some(Page::Error)
    }
}

impl From<Problem> for Destination {
    fn from(problem: Problem) -> Self {
        Self(format!("{}/{}", routes::ERROR, problem.slug()))
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
