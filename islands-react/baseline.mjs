/**
 * The oldest fully supported browsers: esbuild's targets for scripts and style sheet, here and in ../scripts.
 * Cascade layers and `<dialog>` set them; an older browser gets plain HTML (docs/architecture.md).
 */
export const BASELINE = ["chrome99", "safari15.4", "firefox98"];
