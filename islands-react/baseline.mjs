/**
 * The oldest fully supported browsers: esbuild's targets for scripts and style sheet, here and in ../scripts.
 * docs/browsers.md explains the choice, and what older browsers get.
 */
export const BASELINE = ['chrome99', 'safari15.4', 'firefox98'];
