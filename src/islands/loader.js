// Wakes the islands of this page: loads the wasm module, hands each <leptos-island> to its function, and says on
// <body data-islands> how it went: "alive" when all work, React's too, or "failed".
(() => {
  const { js, wasm, toast } = document.currentScript.dataset;
  const { body } = document;
  window.vinculaImport = (url) => import(url);
  const report = () => {
    const waiting = document.querySelector('[data-react]:not([data-mounted])');
    if (body.dataset.leptos === 'alive' && !waiting) body.dataset.islands = 'alive';
  };
  window.addEventListener('vincula:mounted', report);
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
  import(js)
    .then(async (islands) => {
      await islands.default({ module_or_path: wasm });
      islands.hydrate();
      await wake(body, islands);
      body.dataset.leptos = 'alive';
      report();
    })
    .catch((error) => {
      body.dataset.islands = 'failed';
      document.getElementById('islands-failed').hidden = false;
      fetch('/api/report_island', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ input: { island: 'wasm', reason: String(error).slice(0, 200) } }),
      }).catch(() => {});
    });
})();
