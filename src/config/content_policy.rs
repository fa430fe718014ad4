//! What the content security policy of the pages depends on.

use clap::Args;

use super::values::{Unshown, report_uri, source_list};

#[derive(Debug, Clone, Args)]
pub struct ContentPolicyConfig {
    /// Sites that may show the product in a frame: a CSP source list, for example
    /// "'self' https://portal.example.com".
    #[arg(
        long,
        env = "FRAME_ANCESTORS",
        default_value = "'none'",
        value_parser = source_list
    )]
    pub frame_ancestors: String,

    /// Where browsers report what the content policy has blocked: an https:// address, or a path
    /// that the proxy serves. Absent: nowhere.
    #[arg(long, env = "CSP_REPORT_URI", value_parser = Unshown(report_uri))]
    pub csp_report_uri: Option<String>,
}

#[cfg(test)]
mod tests {
    use crate::config::tests::settings;

    #[test]
    fn no_site_may_frame_the_product_and_nothing_is_reported_by_default() {
        let policy = settings(&[]).product.content_policy;
        assert_eq!(policy.frame_ancestors, "'none'");
        assert_eq!(policy.csp_report_uri, None);
    }
}
