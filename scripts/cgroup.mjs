// A memory-limited cgroup, as systemd and Kubernetes create. Needs root and Linux's /sys/fs/cgroup.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';

const V1 = '/sys/fs/cgroup/memory';
const V2 = '/sys/fs/cgroup';

const number = (file) => Number(readFileSync(file, 'utf8'));
const counter = (file, name) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(readFileSync(file, 'utf8'))?.[1] ?? 0);

/** The group, or undefined if it cannot be created. cgroup v1 counts socket memory separately: `peak` adds it. */
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
  // The kernel counts socket memory only if it has a limit.
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
