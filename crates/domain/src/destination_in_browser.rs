//! Where a response leads, in the browser: the text that the server has written, which is followed
//! as it is. The server may be of a later version, with pages that this one does not know; and
//! reading the parts of a destination would make the wasm module larger.

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
