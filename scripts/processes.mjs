// Child processes of a check, which also end if the check fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const PATIENCE_MS = 20_000;
const running = new Set();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Starts a program and waits until its output matches `says`; returns the process, and the match's first group. */
export async function start(command, parameters, env, says) {
  const child = spawn(command, parameters, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let said = '';
  const match = await new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`${command} ${parameters.join(' ')}: ${why}\n${said}`));
    const timer = setTimeout(() => fail(`no output matched ${says}`), PATIENCE_MS);
    const hear = (chunk) => {
      said += chunk;
      const found = says.exec(said.replace(/\x1b\[[0-9;]*m/g, ''));
      if (found === null) return;
      clearTimeout(timer);
      resolve(found);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('error', (error) => fail(error.code === 'ENOENT' ? 'is not installed' : error.message));
    child.once('exit', (code) => fail(`ended with ${code}`));
  });
  return { child, said: () => said, found: match[1] };
}

/** Ends a program and waits until it has ended. */
export async function end({ child }, signal = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

/** The widget API of the sandbox, alone. */
export const startSandbox = (binary) => start(binary, ['sandbox', '--addr', '127.0.0.1:0'], {}, /(http:\/\/\S+\/widget-api)[\s\S]*connect\/items/);
