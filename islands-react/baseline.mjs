/**
 * The oldest fully supported browsers, as esbuild's targets for scripts and style sheet. They are the
 * first with cascade layers, `<dialog>`, and WebAssembly under our policy (`BASELINE_TEST` in
 * `src/app/head.rs`). Older browsers get plain HTML (docs/architecture.md).
 */
export const BASELINE = ["chrome99", "safari16", "firefox98"];
