import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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
  onload = () => {};
  onerror = () => {};
  #to: string | null = null;

  open(method: string, path: string): void {
    expect([method, path]).toEqual(['POST', '/api/validate_token']);
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  getResponseHeader(name: string): string | null {
    return name === 'content-location' ? this.#to : null;
  }
  send(body: string): void {
    sent.push(this);
    this.body = body;
    const answer = answers.shift() ?? 'offline';
    if (answer !== 'later') queueMicrotask(() => this.answer(answer));
  }
  answer(answer: Exclude<Answer, 'later'>): void {
    if (answer === 'offline') {
      this.onerror();
      return;
    }
    this.status = answer.status;
    this.#to = answer.to ?? null;
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

afterEach(() => {
  vi.useRealTimers();
  document.head.innerHTML = '';
  document.body.innerHTML = '';
  delete document.documentElement.dataset.validation;
  delete window.vinculaEntry;
});

async function enter(...given: Answer[]): Promise<void> {
  answers = given;
  await import('./begin');
  const { startEntry } = await import('./entry');
  if (window.vinculaEntry) startEntry(window.vinculaEntry, '/fonts/inter.woff2');
  await vi.advanceTimersByTimeAsync(0);
}

const part = (name: string) => document.getElementById(`entry-${name}`);

describe('a validated link', () => {
  test('shows its step in the place of the entry, under its address', async () => {
    const entries = history.length;
    await enter({ status: 200, to: '/integration/widget', html: STEP });
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ input: { query: '?token=segredo' } });
    expect(sent[0]?.headers.accept).toBe('text/html');
    expect(sent[0]?.responseType).toBe('document');
    expect([location.pathname, location.search, history.length]).toEqual(['/integration/widget', '', entries]);
    expect(document.title).toBe('Autorizar acesso · Firma');
    expect(document.body.dataset.page).toBe('consent');
    expect(document.querySelector('h1')).toHaveFocus();
    expect(document.body.dataset.arriving).toBe('');
    expect(document.documentElement.dataset.validation).toBeUndefined();
    expect(document.querySelector('noscript, script:not([nonce])')).toBeNull();
    expect('ran' in window).toBe(false);
    const colors = [...document.querySelectorAll('meta[name="theme-color"]')].map((meta) =>
      meta.getAttribute('content'),
    );
    expect(colors).toEqual(['#222222']);
    const style = document.head.querySelector('style');
    expect([style?.textContent, style?.nonce]).toEqual([':root{--color-primary:#222222}', 'of-the-entry']);
    await vi.advanceTimersByTimeAsync(100);
    expect(document.body.dataset.arriving, 'all is laid out after the first frame').toBeUndefined();
    expect(document.head.querySelector('link[rel="modulepreload"]')).toHaveAttribute('href', '/islands/consent.js');
    expect(document.documentElement.outerHTML).not.toContain('segredo');
  });

  test('navigates to a step that needs a document of its own, and to error screens', async () => {
    for (const [status, to] of [
      [200, '/integration/update?validado=1'],
      [502, '/error/token-expired?codigo=0123456789ab'],
    ] as const) {
      vi.resetModules();
      const { replace } = watchLocation();
      await enter({ status, to });
      expect(replace).toHaveBeenCalledExactlyOnceWith(to);
    }
  });

  test('never shows the document of an answer that failed', async () => {
    const { replace } = watchLocation();
    await enter({ status: 502, to: '/error/token-invalid', html: STEP });
    expect(replace).toHaveBeenCalledExactlyOnceWith('/error/token-invalid');
    expect(document.querySelector('.step__title')).toBeNull();
  });

  test('navigates where the browser keeps no cookies', async () => {
    vi.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(false);
    watchLocation();
    await enter({ status: 200, to: '/integration/widget?validado=1' });
    expect(sent[0]?.headers.accept).toBe('application/json');
  });
});

describe('a link without an answer', () => {
  test.each([
    ['nobody answers', 'offline' as const],
    ['a proxy answers', { status: 502, html: '<p>Bad gateway' }],
  ])('says so if %s, and tries again when asked to', async (_name, answer) => {
    await enter(answer, { status: 200, to: '/integration/widget', html: STEP });
    expect(toasts()).toEqual(['Houve falha na requisição.']);
    expect(part('title')).toHaveTextContent('Falhou');
    expect([part('waiting')?.hidden, part('failed')?.hidden]).toEqual([true, false]);
    expect(document.documentElement.dataset.validation).toBe('waiting');
    part('form')?.dispatchEvent(new SubmitEvent('submit', { cancelable: true }));
    expect(part('title')).toHaveTextContent('Validando');
    expect(part('failed')?.hidden).toBe(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(location.pathname).toBe('/integration/widget');
  });

  test.each([
    ['the server is full', true, { status: 503 }, 'Cheio'],
    ['this client asks too often', true, { status: 429 }, 'Cheio'],
    ['the widget API does not answer', true, { status: 504 }, 'Calado'],
    ['nobody answers', true, 'offline' as const, 'Calado'],
    ['the device is offline', false, 'offline' as const, 'Sem internet'],
  ])('says why if %s, and blames the connection only if it is gone', async (_name, online, answer, reason) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
    await enter(answer);
    expect(part('reason')).toHaveTextContent(reason);
    expect(part('failed')?.hidden).toBe(false);
  });

  test('says after eight seconds that it is slow', async () => {
    await enter('later');
    await vi.advanceTimersByTimeAsync(7999);
    expect(part('slow')?.hidden).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(part('slow')?.hidden).toBe(false);
  });
});

test('a prerendered page validates nothing before it is seen', async () => {
  Object.defineProperty(document, 'prerendering', { configurable: true, value: true });
  await enter({ status: 200, to: '/integration/widget', html: STEP });
  expect(sent).toEqual([]);
  document.dispatchEvent(new Event('prerenderingchange'));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toHaveLength(1);
  Reflect.deleteProperty(document, 'prerendering');
});

test('shows nothing for a moment, and then the spinner instead of the button that posts without a script', async () => {
  await enter('later');
  expect(document.documentElement.dataset.validation).toBe('begun');
  expect(part('by-hand')?.hidden).toBe(true);
  await vi.advanceTimersByTimeAsync(500);
  expect(document.documentElement.dataset.validation).toBe('waiting');
});
