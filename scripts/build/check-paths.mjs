// check-paths.mjs FOLDER: fails if a file in it contains a path of the build machine. Skips compressed files: their
// originals are in the same folder.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPaths } from './build-paths.mjs';

const COMPRESSED = /\.(br|gz|woff2|png)$/;

const found = [];
const files = readdirSync(process.argv[2], { recursive: true, withFileTypes: true });
for (const file of files.filter((file) => file.isFile() && !COMPRESSED.test(file.name))) {
  const path = join(file.parentPath ?? file.path, file.name);
  const content = readFileSync(path, 'latin1');
  for (const [folder] of buildPaths()) {
    const names = namesOf(folder, content);
    if (names.length > 0) found.push(`${path}: ${folder}/ ${names.length} times, as in ${JSON.stringify(names[0])}`);
  }
}
if (found.length > 0) {
  console.error(`Paths of the build machine are in the build:\n${found.join('\n')}`);
  process.exit(1);
}

/** Matches of the folder, with up to 60 characters after it. A folder like /src is also a part of other paths. */
function namesOf(folder, content) {
  const start = folder.lastIndexOf('/') === 0 ? '(?<![\\w.-])' : '';
  const literal = `${folder}/`.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return content.match(new RegExp(`${start}${literal}[\\w./-]{0,60}`, 'g')) ?? [];
}
