// Runs dist/ in a read-only root that contains only dist/, the shared libraries that `ldd` lists, CA certificates and
// /proc; as nobody, without capabilities. The widget API is a second process outside. Then a client completes a
// journey. Needs root or unprivileged user namespaces.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { end, start, startSandbox } from './processes.mjs';
import { Visitor } from './visitor.mjs';

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const BINARY = process.env.VINCULA_BIN ?? 'dist/vincula';
const NOBODY = '65532';

const root = mkdtempSync(join(tmpdir(), 'vincula-standalone-'));
chmodSync(root, 0o755);
const sandbox = await startSandbox(BINARY);
try {
  const libraries = [...execFileSync('ldd', [BINARY], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path);
  for (const path of [...libraries, CERTIFICATES]) copy(path, join(root, path));
  cpSync(dirname(BINARY), join(root, 'app'), { recursive: true });
  for (const folder of ['proc', 'etc']) mkdirSync(join(root, folder), { recursive: true });
  // No DNS resolver is needed: the widget API has an IP address.
  writeFileSync(join(root, 'etc/passwd'), `nobody:x:${NOBODY}:${NOBODY}::/:/none\n`);
  console.log(`▸ shared libraries: ${libraries.map((path) => path.split('/').at(-1)).join(' ')}`);

  const settings = {
    WIDGET_API_URL: sandbox.found,
    SESSION_KEYS: randomBytes(64).toString('hex'),
    TRUSTED_PROXIES: 'none',
    LISTEN_ADDR: '127.0.0.1:0',
    METRICS_ADDR: '127.0.0.1:0',
    PLUGGY_INCLUDE_SANDBOX: 'false',
  };
  const inside = (...parameters) => [
    // A single process by exec, so that SIGTERM reaches the program.
    'unshare', '--mount', ...(process.getuid() === 0 ? [] : ['--map-root-user']), 'sh', '-ec',
    `mount --bind ${root} ${root}; mount --rbind /proc ${root}/proc; mount -o remount,ro,bind ${root}
     exec chroot ${process.getuid() === 0 ? `--userspec=${NOBODY}:${NOBODY}` : ''} ${root} /app/vincula ${parameters.join(' ')}`,
  ];
  const [command, ...check] = inside('--check-config');
  const said = execFileSync(command, check, { env: { PATH: process.env.PATH, ...settings }, encoding: 'utf8' });
  if (!said.includes('Ready to serve.')) throw new Error(said);

  const program = await start(command, inside().slice(1), settings, /listening address=(\S+)/);
  await new Visitor(`http://${program.found}`, sandbox.found, 'demo-novo.standalone').journey();
  await end(program, 'SIGTERM');
  console.log('✓ a whole journey in a read-only root with only dist/, its libraries and CA certificates');
} finally {
  await end(sandbox);
  rmSync(root, { recursive: true, force: true });
}

function copy(from, to) {
  if (!existsSync(from)) throw new Error(`${from} is missing: on Debian, apt-get install ca-certificates`);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { dereference: true });
}
