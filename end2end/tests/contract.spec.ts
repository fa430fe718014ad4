/** docs/widget-api.openapi.yaml agrees with the samples of the contract, and its examples are those samples. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { expect, test } from '../fixtures.ts';

const ROOT = new URL('../../', import.meta.url);
const SAMPLES = new URL('crates/upstream/src/samples/', ROOT);

type Media = { schema: object; examples: Record<string, { value: unknown }> };
type Content = { content: { 'application/json': Media } };
type Operation = { requestBody?: Content; responses: Record<string, Content> };
type Document = { paths: Record<string, Record<string, Operation>>; components: { responses: Record<string, Content> } };

const document = parse(readFileSync(new URL('docs/widget-api.openapi.yaml', ROOT), 'utf8')) as Document;

/** The parsed samples, by name. */
const samples = new Map(
  readdirSync(fileURLToPath(SAMPLES)).map((file) => [
    file.replace(/\.json$/, ''),
    JSON.parse(readFileSync(new URL(file, SAMPLES), 'utf8')) as unknown,
  ]),
);

/** Every body in the document: of requests, responses and error responses. */
const medias: Media[] = [
  ...Object.values(document.paths).flatMap((verbs) => Object.values(verbs)).flatMap(bodiesOf),
  ...Object.values(document.components.responses),
].flatMap((body) => (body?.content === undefined ? [] : [body.content['application/json']]));

function bodiesOf(operation: Operation): (Content | undefined)[] {
  return [operation.requestBody, ...Object.values(operation.responses)];
}

/** Compiles a schema, with its references relative to the document. */
function validator(schema: object): (value: unknown) => string | undefined {
  const ajv = new Ajv2020({ strict: false });
  const validate = ajv.compile({ ...schema, components: document.components });
  return (value) => (validate(value) ? undefined : ajv.errorsText(validate.errors));
}

test('the nine calls are those of the client', () => {
  const described = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.keys(verbs).map((verb) => `${verb} ${path}`),
  );
  const code = readFileSync(new URL('crates/upstream/src/calls.rs', ROOT), 'utf8');
  const names = code.match(/enum Call \{([^}]*)\}/)?.[1]?.match(/\w+/g) ?? [];
  const paths = names.map((name) => `/${name.replace(/\B[A-Z]/g, '-$&').toLowerCase()}`);
  expect(described.map((call) => call.split(' ')[1]).sort()).toEqual(paths.sort());
  expect(described.filter((call) => !call.startsWith('post'))).toEqual([
    'get /list-accounts',
    'get /list-banks',
    'put /update-link-account',
  ]);
});

test('every sample is an example of the document, and fits its schema', () => {
  const shown = new Set<string>();
  for (const { schema, examples } of medias) {
    const errorsOf = validator(schema);
    for (const [name, { value }] of Object.entries(examples)) {
      expect(value, name).toEqual(samples.get(name));
      expect(errorsOf(value), name).toBeUndefined();
      shown.add(name);
    }
  }
  expect([...samples.keys()].filter((name) => !shown.has(name))).toEqual([]);
});

test('what the client does not send and could not read does not fit', () => {
  const schemaOf = (name: string) => medias.find(({ examples }) => name in examples)?.schema ?? {};
  for (const [name, value] of [
    ['validate-token.request', { token: 't', no_validate: null }],
    ['validate-token.request', { token: 't', client: 'a' }],
    ['validate-token.answer', { data: { client_name: 'A' } }],
    ['validate-token.answer', { data: { customer_id: 1, client_name: ['A'] } }],
    ['connect-token.request', { link_id: null }],
    ['connect-token.answer', { data: ' ' }],
    ['list-accounts.answer', { data: null }],
    ['list-accounts.answer', { data: [{ status: 'done' }] }],
    ['list-accounts.answer', { data: [{ approve_by: '07/12/2026' }] }],
    ['list-banks.answer', { data: [['001', 'BB']] }],
    ['log.request', { type: 'another', status: 'SUCCESS', data_log: '{}' }],
  ] as const) {
    expect(validator(schemaOf(name))(value), `${name} ${JSON.stringify(value)}`).toBeDefined();
  }
});
