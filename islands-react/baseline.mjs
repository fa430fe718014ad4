/**
 * The oldest fully supported browsers, as esbuild's targets for scripts and style sheet. They are the
 * first with cascade layers and `<dialog>`. Older browsers get plain HTML (docs/architecture.md).
 */
export const BASELINE = ["chrome99", "safari15.4", "firefox98"];
