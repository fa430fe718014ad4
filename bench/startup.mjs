/** node startup.mjs BINARY OUTPUT: milliseconds from the process's start to its first page, the median of nine runs. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import http from 'node:http';

const [binary, output] = process.argv.slice(2);
const PORT = 7481;
const env = {
  LISTEN_ADDR: `127.0.0.1:${PORT}`,
  WIDGET_API_URL: 'http://127.0.0.1:9',
  SESSION_KEYS: '000102030405060708090a0b0c0d0e0f'.repeat(8),
  TRUSTED_PROXIES: 'none',
  RUST_LOG: 'off',
};

const answered = () =>
  new Promise((done) => {
    const request = http.get({ port: PORT, path: '/?token=x', agent: false }, (response) => {
      response.resume();
      response.on('end', () => done(response.statusCode === 200));
    });
    request.on('error', () => done(false));
  });

const times = [];
for (let run = 0; run < 9; run += 1) {
  const started = performance.now();
  const server = spawn(binary, { env, stdio: 'ignore' });
  while (!(await answered()));
  times.push(performance.now() - started);
  server.kill('SIGKILL');
  await new Promise((done) => server.on('exit', done));
}
times.sort((a, b) => a - b);
writeFileSync(output, JSON.stringify(times[times.length >> 1]));
