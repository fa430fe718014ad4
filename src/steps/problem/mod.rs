//! `/error/:type` and every path that does not exist.

#[cfg(feature = "ssr")]
pub mod page;
#[cfg(test)]
mod tests;
