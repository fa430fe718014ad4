// Size budgets of dist/: what a phone downloads, in brotli bytes. Lower a budget when the product gets smaller; raise
// it only with a reason in the commit. Each is 5 % above the measured size.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const SITE = 'dist/site';
const BUDGETS = {
  'wasm module of the Leptos islands': { files: /^pkg\/vincula.*\.wasm\.br$/, bytes: 47_200 },
  'its glue': { files: /^pkg\/vincula.*\.js\.br$/, bytes: 3_650 },
  'wasm module of the bridge': { files: /^islands\/bridge-.*\.wasm\.br$/, bytes: 10_640 },
  'its glue ': { files: /^islands\/bridge-.*\.js\.br$/, bytes: 2_350 },
  stylesheet: { files: /^pkg\/vincula.*\.css\.br$/, bytes: 6_900 },
  'React islands without the Connect SDK': { files: /^islands\/(?!bridge-).*\.js\.br$/, bytes: 75_500, without: 'connect' },
  'Connect SDK': { files: /^islands\/.*\.js\.br$/, bytes: 28_300, only: 'connect' },
  font: { files: /^fonts\/.*\.woff2$/, bytes: 17_600 },
};

const manifest = JSON.parse(readFileSync(join(SITE, 'islands/manifest.json'), 'utf8'));
const lazy = new Set(manifest.connect.preload.map((url) => `${url.slice(1)}.br`));
const files = readdirSync(SITE, { recursive: true, encoding: 'utf8' });
let over = 0;
for (const [name, { files: pattern, bytes: budget, without, only }] of Object.entries(BUDGETS)) {
  const counted = files.filter((file) => pattern.test(file) && !(without && lazy.has(file)) && !(only && !lazy.has(file)));
  const bytes = counted.reduce((sum, file) => sum + statSync(join(SITE, file)).size, 0);
  const fits = counted.length > 0 && bytes <= budget;
  if (!fits) over += 1;
  console.log(`${fits ? '✓' : '✗'} ${name}: ${bytes} of ${budget} bytes (${counted.length} files)`);
}
process.exit(over > 0 ? 1 : 0);
