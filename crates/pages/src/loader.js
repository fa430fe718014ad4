// Wakes the islands of this page: loads the wasm module, starts the bridge, hands each <leptos-island> to its function,
// and says on <body data-islands> how it went: "alive" when all work, React's too, or "failed". Then fetches the files of
// the next step. A page with patience waits until there is something to say, or until it has run out of it.
(() => {
  const { js, wasm, toast, patience, next } = document.currentScript.dataset;
  const { body } = document;
  window.vinculaImport = (url) => import(url);
  // An action's answer as JSON; what went wrong has a failure's kind (see wire.rs), as in islands-react/src/api.ts, and in
  // `retryAfter` the seconds that the answer asks for. With `keepalive` it outlives the page; without an answer after
  // `patience` milliseconds it counts as unanswered.
  const post = async (path, input, keepalive = false, patience = 0) => {
    const call = new AbortController();
    const end = () => call.abort();
    const stopped = window.vinculaStopped;
    stopped?.addEventListener('abort', end);
    if (stopped?.aborted) end();
    const timer = patience && setTimeout(end, patience);
    let ok, text, retryAfter;
    try {
      const response = await fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        cache: 'no-store',
        body: JSON.stringify({ input }),
        keepalive,
        signal: call.signal,
      });
      ok = response.ok;
      retryAfter = Number(response.headers.get('retry-after')) || 0;
      text = await response.text();
    } catch {
      return { kind: stopped?.aborted ? 'other_tab' : 'no_reply' };
    } finally {
      clearTimeout(timer);
      stopped?.removeEventListener('abort', end);
    }
    try {
      const body = JSON.parse(text);
      if (ok) return body;
      if (body.kind) return { ...body, retryAfter };
    } catch {
      // A failure of ours is JSON: nobody has answered but a proxy whose server is just restarting.
      if (!ok) return { kind: 'no_reply', retryAfter };
    }
    return { kind: 'navigate' };
  };
  window.vinculaAct = (path, session) => post(path, { session }, true);
  window.vinculaList = (path, session, known, patience) => post(path, { session, known }, false, patience);
  window.vinculaReport = (island, reason) => {
    post('/api/report_island', { island, reason: String(reason).slice(0, 200) });
  };
  // With what the line has to spare, and not for who saves data.
  const fetchAhead = () => {
    if (!next || navigator.connection?.saveData) return;
    for (const href of next.split(' ')) {
      // Not by <link rel=prefetch>: Firefox judges it by default-src, and Safari does not have it. An answer is kept
      // when it has been read to its end.
      fetch(href, { priority: 'low' })
        .then((file) => file.blob())
        .catch(() => {});
    }
  };
  let awake = false;
  const tell = () => {
    const waiting = document.querySelector('[data-react]:not([data-mounted])');
    if (!awake || waiting || body.dataset.islands) return;
    body.dataset.islands = 'alive';
    (window.requestIdleCallback ?? setTimeout)(fetchAhead);
  };
  window.addEventListener('vincula:mounted', tell);
  if (toast) (window.vinculaToasts ||= []).push({ kind: 'error', message: toast });
  // A new step starts at its heading, unless the person is already somewhere in it.
  if (document.activeElement === body) document.querySelector('.step__title')?.focus({ preventScroll: true });
  // The children of an island belong to its owner: Leptos marks where they hang.
  const owners = [];
  const wake = async (node, islands) => {
    if (node.localName === 'leptos-island') {
      owners.at(-1)?.();
      await islands[node.dataset.component]?.(node);
    }
    const holdsChildren = node.localName === 'leptos-children';
    if (holdsChildren) owners.push(node.$$on_hydrate);
    for (const child of node.children) await wake(child, islands);
    if (holdsChildren) owners.pop();
  };
  // What is drawn already is seen first: waking takes a slow phone some tenths of a second. A tab that nobody sees draws
  // nothing, and wakes all the same.
  const seen = new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 500);
  });
  const needed = new Promise((done) => {
    if (!patience || window.vinculaToasts?.length) return done();
    window.addEventListener('vincula:toast', done, { once: true });
    setTimeout(done, patience);
  });
  // What the bridge cannot say any more is said without it.
  const sayPlainly = () => {
    for (const { kind, message } of window.vinculaToasts?.splice(0) ?? []) {
      const said = document.getElementById('toast').content.firstElementChild.cloneNode(true);
      said.className = `toast toast--${kind}`;
      said.firstElementChild.textContent = message;
      said.lastElementChild.addEventListener('click', () => said.remove());
      document.getElementById('toasts').append(said);
    }
  };
  Promise.all([seen, needed])
    .then(() => import(js))
    .then(async (islands) => {
      await islands.default({ module_or_path: wasm });
      islands.start();
      // The bridge alone knows no Leptos.
      islands.hydrate?.();
      await wake(body, islands);
      awake = true;
      tell();
    })
    .catch((error) => {
      body.dataset.islands = 'failed';
      const card = document.getElementById('islands-failed');
      if (card) card.hidden = false;
      sayPlainly();
      window.addEventListener('vincula:toast', sayPlainly);
      window.vinculaReport('wasm', error);
    });
})();
