/**
 * The oldest browsers that get the product whole: what esbuild lowers scripts and style sheet to, here and in
 * ../scripts. Why these, and what older ones get: docs/browsers.md.
 */
export const BASELINE = ['chrome99', 'safari15.4', 'firefox98'];
