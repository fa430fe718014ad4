// Gives the names by which a wasm module and its glue know each other one or two letters. wasm-bindgen's are long, hold a
// hash each and stand in both files: 2 kB of what a phone downloads, compressed.
const IMPORTS = 2;

/** `wasm` and `glue` with short import names; what is not an import keeps its name. */
export function shorten(wasm, glue) {
  const short = new Map();
  const shortOf = (name) => short.get(name) ?? short.set(name, `_${short.size.toString(36)}`).get(name);
  const sections = [wasm.subarray(0, 8)];
  for (let at = 8; at < wasm.length; ) {
    const [size, start] = number(wasm, at + 1);
    const body = wasm.subarray(start, start + size);
    const kept = wasm[at] === IMPORTS ? renamed(body, shortOf) : body;
    sections.push(Buffer.from([wasm[at]]), encoded(kept.length), kept);
    at = start + size;
  }
  for (const [name, brief] of short) {
    const uses = new RegExp(`(?<![\\w$./])${name.replace(/[.$]/g, '\\$&')}(?![\\w$])`, 'g');
    const moduleName = name.startsWith('.');
    const pattern = moduleName ? new RegExp(`(["'])${name.replace(/[.$]/g, '\\$&')}\\1`, 'g') : uses;
    if (!pattern.test(glue)) throw new Error(`the glue does not know the import ${name}`);
    glue = glue.replace(pattern, moduleName ? `"${brief}"` : brief);
  }
  return { wasm: Buffer.concat(sections), glue };
}

/** The import section: module, name and kind of each; the kinds are copied. */
function renamed(body, shortOf) {
  let [count, at] = number(body, 0);
  const parts = [encoded(count)];
  for (; count > 0; count -= 1) {
    for (let names = 2; names > 0; names -= 1) {
      const [length, start] = number(body, at);
      const name = Buffer.from(shortOf(body.toString('utf8', start, start + length)));
      parts.push(encoded(name.length), name);
      at = start + length;
    }
    if (body[at] !== 0) throw new Error('only functions are imported by modules of ours');
    const [, end] = number(body, at + 1);
    parts.push(body.subarray(at, end));
    at = end;
  }
  return Buffer.concat(parts);
}

/** An unsigned LEB128 number and where it ends. */
function number(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at];
  }
}

function encoded(value) {
  const bytes = [];
  do {
    bytes.push((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
    value >>>= 7;
  } while (value > 0);
  return Buffer.from(bytes);
}
