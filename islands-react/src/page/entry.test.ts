import { beforeEach, expect, test, vi } from 'vitest';
import { toasts, watchLocation } from '../testing/page';

const STEP = `<title>Autorizar acesso · Firma</title><meta name="theme-color" content="#222222">
  <meta name="style" content=":root{--color-primary:#222222}">
  <link rel="modulepreload" href="/islands/consent.js">
  <body class="page" data-page="consent"><h1 class="step__title" tabindex="-1">Firma pede acesso</h1>
  <noscript><p>Sem JavaScript</p></noscript><script>window.ran = true;</script>
  <div id="toasts"></div></body>`;

type Answer = { status: number; to?: string; html?: string } | 'offline' | 'later';

const sent: FakeRequest[] = [];
let answers: Answer[] = [];

/** What the entry uses of XMLHttpRequest. */
class FakeRequest {
  responseType = '';
  status = 0;
  responseXML: Document | null = null;
  headers: Record<string, string> = {};
  body = '';
  to: string | null = null;
  open = vi.fn();
  onload = () => {};
  onerror = () => {};
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  getResponseHeader(name: string): string | null {
    return name === 'content-location' ? this.to : null;
  }
  async send(body: string): Promise<void> {
    sent.push(this);
    this.body = body;
    const answer = answers.shift() ?? 'offline';
    if (answer === 'later') return;
    await undefined;
    if (answer === 'offline') return this.onerror();
    Object.assign(this, { to: null }, answer);
    if (answer.html !== undefined) this.responseXML = new DOMParser().parseFromString(answer.html, 'text/html');
    this.onload();
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  sent.length = 0;
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  vi.stubGlobal('scrollTo', vi.fn());
  history.replaceState(null, '', '/?token=segredo');
  document.head.innerHTML =
    '<meta name="theme-color" content="#111111"><script nonce="of-the-entry" type="none"></script>';
  document.body.insertAdjacentHTML(
    'beforeend',
    `<h1 id="entry-title" data-validating="Validando" data-failed="Falhou">Validando</h1>
     <div id="entry-waiting"><p id="entry-slow" hidden>Lento</p></div>
     <form id="entry-form"><div id="entry-by-hand"></div><div id="entry-failed" hidden><p id="entry-reason" data-busy="Cheio" data-offline="Sem internet" data-silent="Calado"></p><button>Tentar de novo</button></div></form>`,
  );
});

async function enter(...given: Answer[]): Promise<void> {
  answers = given;
  await import('./begin');
  const { startEntry } = await import('./entry');
  if (window.vinculaEntry) startEntry(window.vinculaEntry, '/fonts/inter.woff2');
  await vi.advanceTimersByTimeAsync(0);
}

const part = (name: string) => document.getElementById(`entry-${name}`);
const validation = () => document.documentElement.dataset.validation;

test('a validated link shows its step in the place of the entry, under its address', async () => {
  const entries = history.length;
  await enter({ status: 200, to: '/integration/widget', html: STEP });
  expect(sent.map(({ open, body, responseType }) => [open.mock.lastCall, JSON.parse(body), responseType])).toEqual([
    [['POST', '/api/validate_token'], { input: { query: '?token=segredo' } }, 'document'],
  ]);
  expect(sent[0]?.headers).toEqual({ 'content-type': 'application/json', accept: 'text/html' });
  expect([location.pathname, location.search, history.length]).toEqual(['/integration/widget', '', entries]);
  expect([document.title, document.body.dataset.page]).toEqual(['Autorizar acesso · Firma', 'consent']);
  expect(document.querySelector('h1')).toHaveFocus();
  expect([document.body.dataset.arriving, validation()]).toEqual(['', undefined]);
  expect(document.querySelector('noscript, script:not([nonce])')).toBeNull();
  const colors = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')];
  expect(colors.map(({ content }) => content)).toEqual(['#222222']);
  const style = document.head.querySelector('style');
  expect([style?.textContent, style?.nonce]).toEqual([':root{--color-primary:#222222}', 'of-the-entry']);
  await vi.advanceTimersByTimeAsync(100);
  expect(document.body.dataset.arriving, 'all is laid out after the first frame').toBeUndefined();
  expect(document.head.querySelector('link[rel="modulepreload"]')).toHaveAttribute('href', '/islands/consent.js');
  expect(document.documentElement.outerHTML).not.toContain('segredo');
});

test.each([
  ['a step that needs a document of its own', { status: 200, to: '/integration/update?validado=1' }],
  ['an error screen', { status: 502, to: '/error/token-expired?codigo=0123456789ab' }],
  ['an error screen, never the document of an answer that failed', { status: 502, to: '/error/x', html: STEP }],
])('a link leads to %s', async (_where, answer) => {
  const { replace } = watchLocation();
  await enter(answer);
  expect(replace.mock.calls).toEqual([[answer.to]]);
  expect(document.querySelector('.step__title')).toBeNull();
});

test.each<[string, Answer, string, boolean?]>([
  ['a proxy answers', { status: 502, html: '<p>Bad gateway' }, 'Calado'],
  ['the server is full', { status: 503 }, 'Cheio'],
  ['this client asks too often', { status: 429 }, 'Cheio'],
  ['nobody answers', 'offline', 'Calado'],
  ['the device is offline', 'offline', 'Sem internet', false],
])(
  'says why if %s, and blames the connection only if it is gone; another try shows the step',
  async (_name, answer, reason, online = true) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
    await enter(answer, { status: 200, to: '/integration/widget', html: STEP });
    expect(toasts()).toEqual(['Houve falha na requisição.']);
    expect(part('title')).toHaveTextContent('Falhou');
    expect(part('reason')).toHaveTextContent(reason);
    expect([part('waiting')?.hidden, part('failed')?.hidden, validation()]).toEqual([true, false, 'waiting']);
    part('form')?.dispatchEvent(new SubmitEvent('submit', { cancelable: true }));
    expect(part('title')).toHaveTextContent('Validando');
    expect([part('waiting')?.hidden, part('failed')?.hidden]).toEqual([false, true]);
    await vi.advanceTimersByTimeAsync(0);
    expect(location.pathname).toBe('/integration/widget');
  },
);

test('shows nothing for a moment, then the spinner instead of the button that posts without a script', async () => {
  await enter('later');
  expect([validation(), part('by-hand')?.hidden]).toEqual(['begun', true]);
  await vi.advanceTimersByTimeAsync(500);
  expect(validation()).toBe('waiting');
});
