// sbom.mjs FOLDER: writes the product's SBOMs as CycloneDX 1.5: server.cdx.json (the program), wasm.cdx.json (the
// module in the browser), islands.cdx.json (React and the other packages in its files). The same sources give the same
// files. Fails on a licence, a crate or a source that deny.toml does not allow.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: sbom.mjs FOLDER');

const run = (command, ...args) => execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] });

/** SHA-256 of each crate, as Cargo.lock pins it. */
const checksums = new Map(
  [...readFileSync('Cargo.lock', 'utf8').matchAll(/name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "(.+)"/g)].map(
    ([, name, version, checksum]) => [`${name}@${version}`, checksum],
  ),
);

/** The crates of a build, including macros, without those of tests and build scripts. */
function rust(name, target) {
  const metadata = JSON.parse(
    run('cargo', 'metadata', '--format-version=1', '--locked', `--filter-platform=${target}`),
  );
  const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]));
  const packages = new Map(metadata.packages.map((found) => [found.id, found]));
  const root = metadata.workspace_members.find((id) => packages.get(id).name === name);
  /** A crate's dependencies. Our own crates are the product itself, so theirs replace them. */
  const ours = new Set(metadata.workspace_members);
  const needs = (id) => {
    const needed = nodes
      .get(id)
      .deps.filter(({ dep_kinds }) => dep_kinds.some(({ kind }) => kind === null))
      .flatMap(({ pkg }) => (ours.has(pkg) ? needs(pkg) : [pkg]));
    return [...new Set(needed)];
  };
  const reached = new Set([root]);
  for (const id of reached) for (const needed of needs(id)) reached.add(needed);
  const ref = (id) => `pkg:cargo/${packages.get(id).name}@${packages.get(id).version}`;
  const component = (id) => {
    const { name, version, license, source } = packages.get(id);
    const known = id === root || source === 'registry+https://github.com/rust-lang/crates.io-index';
    if (!known) throw new Error(`${name} ${version} is not from crates.io: ${source}`);
    const checksum = checksums.get(`${name}@${version}`);
    return {
      type: id === root ? 'application' : 'library',
      'bom-ref': ref(id),
      name,
      version,
      purl: ref(id),
      // The old form of some crates: "MIT/Apache-2.0".
      ...(license === null ? {} : { licenses: [{ expression: license.replaceAll('/', ' OR ') }] }),
      ...(checksum === undefined ? {} : { hashes: [{ alg: 'SHA-256', content: checksum }] }),
    };
  };
  const ids = [...reached].sort((a, b) => (ref(a) < ref(b) ? -1 : 1));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: component(root) },
    components: ids.filter((id) => id !== root).map(component),
    dependencies: ids.map((id) => ({ ref: ref(id), dependsOn: needs(id).map(ref).sort() })),
  };
}

/** Packages that declare their licence in a form that the lock file omits; each also has it as LICENSE.txt. */
const APACHE = ['cross-domain-safe-weakmap', 'cross-domain-utils', 'post-robot', 'universal-serialize', 'zalgo-promise', 'zoid'];

/** The packages in React's files, as the lock file pins them. (`npm sbom --omit=dev` leaves React out.) */
function islands() {
  const { packages } = JSON.parse(readFileSync('islands-react/package-lock.json', 'utf8'));
  const shipped = Object.entries(packages).filter(([at, { dev }]) => at !== '' && !dev);
  const nameOf = (at) => at.split('node_modules/').at(-1);
  const licenceOf = (name) => (APACHE.includes(name) ? 'Apache-2.0' : undefined);
  const ref = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const refs = new Map(shipped.map(([at, { version }]) => [at, ref(nameOf(at), version)]));
  /** Resolves a dependency of `from`: nested in it, or further up. */
  const found = (from, name) => {
    for (let base = from; ; base = base.replace(/\/?node_modules\/[^/]+(\/[^/]+)?$/, '')) {
      const at = `${base === '' ? '' : `${base}/`}node_modules/${name}`;
      if (refs.has(at)) return refs.get(at);
      if (base === '') return undefined;
    }
  };
  const needs = (at, { dependencies = {}, peerDependencies = {} }) =>
    [...new Set(Object.keys({ ...dependencies, ...peerDependencies }).map((name) => found(at, name)).filter(Boolean))].sort();
  const { name, version } = packages[''];
  const root = { type: 'application', 'bom-ref': ref(name, version), name, version, purl: ref(name, version) };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: root },
    components: shipped.map(([at, { version, license = licenceOf(nameOf(at)), integrity }]) => ({
      type: 'library',
      'bom-ref': refs.get(at),
      name: nameOf(at),
      version,
      purl: refs.get(at),
      ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
      hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    })),
    dependencies: [
      { ref: root.purl, dependsOn: needs('', packages['']) },
      ...shipped.map(([at, found]) => ({ ref: refs.get(at), dependsOn: needs(at, found) })),
    ],
  };
}

const rules = readFileSync('deny.toml', 'utf8');
const allowed = new Set([.../^allow = \[(.+?)^\]/ms.exec(rules)[1].matchAll(/"(.+?)"/g)].map(([, licence]) => licence));
const denied = new Set([...rules.matchAll(/crate = "(.+?)"/g)].map(([, crate]) => crate));

/** Whether an SPDX licence expression has an allowed choice. */
function mayBeUsed(expression) {
  const words = expression.match(/\(|\)|[^\s()]+/g) ?? [];
  const either = () => {
    let holds = both();
    while (words[0] === 'OR') holds = words.shift() && both() || holds;
    return holds;
  };
  const both = () => {
    let holds = one();
    while (words[0] === 'AND') holds = words.shift() && one() && holds;
    return holds;
  };
  const one = () => {
    const word = words.shift();
    if (word === '(') {
      const holds = either();
      words.shift();
      return holds;
    }
    return allowed.has(words[0] === 'WITH' ? [word, ...words.splice(0, 2)].join(' ') : word);
  };
  return either() && words.length === 0;
}

/** Fails if a known component is missing, or if a component has no purl, version or licence. */
function checked(name, bom, known) {
  const missing = known.filter((wanted) => !bom.components.some((component) => component.name === wanted));
  const bare = bom.components.filter(({ purl, version, licenses }) => !purl || !version || !licenses?.length);
  if (missing.length > 0) throw new Error(`${name} misses ${missing}`);
  const refused = bom.components.filter(
    (component) => denied.has(component.name) || !component.licenses?.every(({ expression }) => mayBeUsed(expression)),
  );
  if (bare.length > 0) throw new Error(`${name}: no version or licence of ${bare.map((component) => component.name)}`);
  if (refused.length > 0) {
    const list = refused.map(({ name, version, licenses }) => `${name} ${version} (${licenses[0].expression})`);
    throw new Error(`deny.toml does not allow what ${name} holds: ${list.join(', ')}`);
  }
  return bom;
}

mkdirSync(folder, { recursive: true });
for (const [name, make, known] of [
  ['server', () => rust('vincula', 'x86_64-unknown-linux-gnu'), ['axum', 'leptos', 'reqwest', 'rustls', 'tokio']],
  ['wasm', () => rust('vincula-front', 'wasm32-unknown-unknown'), ['leptos', 'wasm-bindgen', 'web-sys']],
  ['islands', islands, ['react', 'react-dom', 'pluggy-connect-sdk']],
]) {
  const bom = checked(name, make(), known);
  writeFileSync(join(folder, `${name}.cdx.json`), `${JSON.stringify(bom, null, 1)}\n`);
  console.log(`${name}.cdx.json: ${bom.components.length} components`);
}
