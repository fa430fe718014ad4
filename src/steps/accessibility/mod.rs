//! `/acessibilidade`: the accessibility statement (Lei 13.146/2015, art. 63; ABNT NBR 17225).

#[cfg(feature = "ssr")]
pub mod page;
