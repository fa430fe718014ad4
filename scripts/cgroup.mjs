// A group of processes with a limit of memory, as systemd and Kubernetes make one. Needs root and Linux's own folders.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';

const V1 = '/sys/fs/cgroup/memory';
const V2 = '/sys/fs/cgroup';

const number = (file) => Number(readFileSync(file, 'utf8'));
const counter = (file, name) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(readFileSync(file, 'utf8'))?.[1] ?? 0);

/** The group, or nothing where none can be made. The first version counts the sockets' memory by itself: it is added. */
export function limited(name, bytes) {
  try {
    return existsSync(`${V2}/cgroup.controllers`) ? second(`${V2}/${name}`, bytes) : first(`${V1}/${name}`, bytes);
  } catch {
    return undefined;
  }
}

function second(folder, bytes) {
  writeFileSync(`${V2}/cgroup.subtree_control`, '+memory');
  mkdirSync(folder);
  writeFileSync(`${folder}/memory.max`, String(bytes));
  if (existsSync(`${folder}/memory.swap.max`)) writeFileSync(`${folder}/memory.swap.max`, '0');
  return {
    procs: `${folder}/cgroup.procs`,
    peak: () => number(`${folder}/memory.peak`),
    ofSockets: () => undefined,
    killed: () => counter(`${folder}/memory.events`, 'oom_kill'),
    remove: () => rmdirSync(folder),
  };
}

function first(folder, bytes) {
  mkdirSync(folder);
  writeFileSync(`${folder}/memory.limit_in_bytes`, String(bytes));
  // Without a limit of its own it is not counted.
  writeFileSync(`${folder}/memory.kmem.tcp.limit_in_bytes`, String(bytes));
  const ofSockets = () => number(`${folder}/memory.kmem.tcp.max_usage_in_bytes`);
  return {
    procs: `${folder}/cgroup.procs`,
    peak: () => number(`${folder}/memory.max_usage_in_bytes`) + ofSockets(),
    ofSockets,
    killed: () => counter(`${folder}/memory.oom_control`, 'oom_kill'),
    remove: () => rmdirSync(folder),
  };
}
