// Bundles the style sheet for the browsers of the baseline.
import { join } from 'node:path';
import { BASELINE } from '../../islands-react/baseline.mjs';
import { esbuild, ROOT } from './wasm.mjs';

/** @returns style/main.css with all that it imports, minified. */
export async function buildStyles() {
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(ROOT, 'style/main.css')],
    bundle: true,
    minify: true,
    target: BASELINE,
    // The server has these under their own URLs.
    external: ['/fonts/*', '/illustrations/*'],
    write: false,
  });
  return outputFiles[0].text;
}
