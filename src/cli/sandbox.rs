//! `vincula sandbox`: serves only the sandbox's widget API, for tests of other programs.

use std::{net::SocketAddr, time::Duration};

use vincula_sandbox::{DEMO_LINKS, Sandbox, SandboxOptions};

use crate::{config::InvalidSetting, server};

/// Serves the nine calls until `stop`. Only with `is_public` may other machines reach it. For
/// `slow`, see [`SandboxOptions::slow`].
pub async fn serve(
    addr: SocketAddr,
    slow: Duration,
    is_public: bool,
    stop: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    if !addr.ip().is_loopback() && !is_public {
        let error = format!(
            "--addr is {addr}, which others can reach: expected a loopback address, or SANDBOX_PUBLIC=true"
        );
        return Err(InvalidSetting(error).into());
    }
    let listener = server::listen::listen("--addr", addr).await?;
    let sandbox = Sandbox::on(
        &listener,
        SandboxOptions {
            slow,
            ..SandboxOptions::default()
        },
    )?;
    announce(&sandbox);
    tokio::select! {
        served = axum::serve(listener, sandbox.api()) => served?,
        () = stop => {}
    }
    Ok(())
}

fn announce(sandbox: &Sandbox) {
    let url = sandbox.api_url();
    println!("\nThe widget API of Vincula's sandbox, with invented clients, at {url}\n");
    println!(
        "  POST {url}/validate-token returns a token's session data and the XSRF-TOKEN cookie."
    );
    println!(
        "  All other calls need `Authorization: Bearer <token>`; all but GET also need the cookie and the"
    );
    println!("  header X-XSRF-TOKEN. docs/widget-api.openapi.yaml describes all calls.\n");
    println!(
        "Tokens (append `.` and 1 to 32 letters or digits for a fresh copy) and the links that contain them:\n"
    );
    for link in DEMO_LINKS {
        println!("  {:<26} {:<46} {}", link.token, link.path(), link.title);
    }
    println!(
        "\nPOST /sandbox/connect/items {{\"connectToken\": …, \"bank\": \"260\"}} finishes Connect as its page would.\n"
    );
}
