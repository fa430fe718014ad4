// Wakes the islands of this page: loads the wasm module, starts the bridge, hands each <leptos-island> to its function,
// and says on <body data-islands> how it went: "alive" when all work, React's too, or "failed". Then fetches the files of
// the next step. A page with patience waits until there is something to say, or until it has run out of it.
(() => {
  const { js, wasm, toast, patience, next } = document.currentScript.dataset;
  const { body } = document;
  window.vinculaImport = (url) => import(url);
  // An action's answer as JSON; what went wrong has a failure's kind (see wire.rs), as in islands-react/src/api.ts.
  const post = async (path, input) => {
    let ok, text;
    try {
      const response = await fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        cache: 'no-store',
        body: JSON.stringify({ input }),
      });
      ok = response.ok;
      text = await response.text();
    } catch {
      return { kind: 'no_reply' };
    }
    try {
      const body = JSON.parse(text);
      if (ok || body.kind) return body;
    } catch {
      // A failure of ours is JSON: nobody has answered but a proxy whose server is just restarting.
      if (!ok) return { kind: 'no_reply' };
    }
    return { kind: 'navigate' };
  };
  window.vinculaAct = (path, session, known) => post(path, { session, known });
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
      document.getElementById('islands-failed').hidden = false;
      sayPlainly();
      window.addEventListener('vincula:toast', sayPlainly);
      window.vinculaReport('wasm', error);
    });
})();
