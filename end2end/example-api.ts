/** Starts `example-api/api.mjs`, the widget API that README shows. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('example-api/api.mjs', import.meta.url));

export type ExampleApi = {
  url: string;
  /** The token of each of its links. */
  tokens: { new: string; update: string; cancel: string; expired: string };
  output: () => string;
  stop: () => Promise<void>;
};

export async function startExampleApi(): Promise<ExampleApi> {
  const child = spawn(process.execPath, [SCRIPT], {
    env: { PATH: process.env.PATH ?? '', PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  while (!/^ {2}expired .*\n/m.test(output)) await once(child.stdout, 'data');
  const tokenOf = (name: string) => new RegExp(`^ {2}${name} +/\\?token=(\\S+)$`, 'm').exec(output)?.[1] ?? '';
  return {
    url: /http:\S+/.exec(output)?.[0] ?? '',
    tokens: { new: tokenOf('new'), update: tokenOf('update'), cancel: tokenOf('cancel'), expired: tokenOf('expired') },
    output: () => output,
    stop: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
