//! The tokens of a session in its sealed cookie: nothing else serializes them.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use vincula_domain::token::{LinkToken, XsrfToken};

pub fn link<S: Serializer>(token: &LinkToken, to: S) -> Result<S::Ok, S::Error> {
    token.expose().serialize(to)
}

pub fn read_link<'de, D: Deserializer<'de>>(from: D) -> Result<LinkToken, D::Error> {
    LinkToken::parse(&String::deserialize(from)?).ok_or_else(|| D::Error::custom("no token"))
}

#[expect(clippy::ref_option, reason = "the form that serde calls")]
pub fn xsrf<S: Serializer>(token: &Option<XsrfToken>, to: S) -> Result<S::Ok, S::Error> {
    token.as_ref().map(XsrfToken::expose).serialize(to)
}

pub fn read_xsrf<'de, D: Deserializer<'de>>(from: D) -> Result<Option<XsrfToken>, D::Error> {
    Ok(Option::<String>::deserialize(from)?
        .as_deref()
        .and_then(XsrfToken::parse))
}
