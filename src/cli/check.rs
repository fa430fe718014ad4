//! `vincula --check-config`: checks the settings without serving.

use std::time::Duration;

use vincula_sandbox::SandboxOptions;

use crate::{
    config::{Config, InvalidSettings, SiteFiles, WidgetApi},
    state::{self, AppState, Backend},
};

/// How long an operator waits for the widget API.
const TIMEOUT: Duration = Duration::from_secs(15);

/// Checks the settings, reads the built site and the brands, and sends one `HEAD` request to the
/// widget API. Returns what an operator should know. Fails if the product would not work.
pub async fn check(config: Config, site: &SiteFiles) -> anyhow::Result<Vec<String>> {
    let settings = config.check()?;
    let mut findings: Vec<String> = settings
        .warnings()
        .into_iter()
        .map(|warning| format!("! {warning}"))
        .collect();
    let backend = Backend::start(settings.api.clone(), SandboxOptions::default()).await?;
    let manifest = state::manifest(site)?;
    let state = AppState::new(&settings.product, site, manifest, backend)?;
    let WidgetApi::Real(url) = &settings.api else {
        findings.push("The embedded sandbox with invented clients is the widget API.".to_owned());
        return Ok(findings);
    };
    match state.upstream.probe(TIMEOUT).await {
        Ok(status) => findings.push(format!(
            "WIDGET_API_URL {url} responds (HTTP {status} to HEAD; any status is accepted)."
        )),
        Err(cause) => {
            let error = format!(
                "WIDGET_API_URL {url} cannot be reached ({cause}): check the address, the name's \
                 DNS, the firewall and the certificate"
            );
            return Err(InvalidSettings::from(error).into());
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use vincula_testing::{Act, ScriptedApi};

    use super::*;
    use crate::{
        cli::Cli,
        tests::{SESSION_KEY, site::site},
    };

    async fn checked(arguments: &[&str]) -> anyhow::Result<String> {
        let arguments = [&["vincula", "--check-config"], arguments].concat();
        let config = Cli::try_parse_from(arguments).unwrap().config;
        let findings = check(config, &site()).await?;
        Ok(findings.join("\n"))
    }

    async fn checked_on(url: &str, arguments: &[&str]) -> anyhow::Result<String> {
        let real = [
            "--widget-api-url",
            url,
            "--session-keys",
            SESSION_KEY,
            "--trusted-proxies",
            "none",
        ];
        checked(&[&real, arguments].concat()).await
    }

    #[tokio::test]
    async fn usable_settings_send_one_request_to_the_widget_api() {
        let upstream = ScriptedApi::answering(Act::status(404)).await;
        let findings = checked_on(&upstream.origin(), &[]).await.unwrap();
        for part in ["responds (HTTP 404", "! PLUGGY_INCLUDE_SANDBOX is true"] {
            assert!(findings.contains(part), "{part}: {findings}");
        }
        assert_eq!(upstream.only("HEAD /").header("authorization"), None);
        assert_eq!(upstream.lines().len(), 1);
    }

    #[tokio::test]
    async fn unusable_settings_fail_with_instructions() {
        let unreachable = checked_on("http://127.0.0.1:9", &[]).await;
        let no_brands = checked_on("http://127.0.0.1:9", &["--brands-dir", "/nowhere"]).await;
        let keyless = checked(&["--widget-api-url", "http://127.0.0.1:9"]).await;
        for (result, told) in [
            (unreachable, "cannot be reached (Connection refused"),
            (no_brands, "BRANDS_DIR"),
            (keyless, "openssl rand -hex 64"),
        ] {
            let error = result.unwrap_err();
            assert!(error.is::<InvalidSettings>(), "{error}");
            assert!(error.to_string().contains(told), "{told}: {error}");
        }
    }
}
