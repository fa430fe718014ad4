//! The `wasm-bindgen` command, reduced to what this project's builds need. It builds in a sixth of
//! the time of wasm-bindgen-cli, which includes a test runner, an HTTP client and TLS.
//!
//! The arguments are wasm-bindgen-cli's, so that either can be on the `PATH`, and cargo-leptos can
//! call it.

use std::{env, process::ExitCode};

use wasm_bindgen_cli_support::Bindgen;

const USAGE: &str = "usage: wasm-bindgen --target web --out-dir DIR --out-name NAME [--no-typescript] [--debug] \
                     [--keep-debug] MODULE.wasm";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments == ["--version"] {
        println!("wasm-bindgen {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("wasm-bindgen: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Vec<String>) -> Result<(), String> {
    let mut bindgen = Bindgen::new();
    let (mut out_dir, mut module, mut web) = (None, None, false);
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        let (name, given) = match argument.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (argument, None),
        };
        let mut value = || {
            given
                .clone()
                .or_else(|| rest.next())
                .ok_or(format!("{name} wants a value\n{USAGE}"))
        };
        match name.as_str() {
            "--target" => web = value()? == "web",
            "--out-dir" => out_dir = Some(value()?),
            "--out-name" => _ = bindgen.out_name(&value()?),
            "--no-typescript" => _ = bindgen.typescript(false),
            "--debug" => _ = bindgen.debug(true),
            "--keep-debug" => _ = bindgen.keep_debug(true),
            _ if name.starts_with('-') || module.is_some() => {
                return Err(format!("unknown argument {name}\n{USAGE}"));
            }
            _ => module = Some(name),
        }
    }
    let (Some(out_dir), Some(module), true) = (out_dir, module, web) else {
        return Err(USAGE.into());
    };
    bindgen.input_path(module);
    bindgen
        .web(true)
        .and_then(|bindgen| bindgen.generate(out_dir))
        .map_err(|error| format!("{error:?}"))
}
