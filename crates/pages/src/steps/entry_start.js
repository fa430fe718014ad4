// Validates the link (design D2) while the head is still being read, and goes on as soon as there is an answer: scripts
// further down wait for the stylesheet. A POST, so that a link preview never uses up a token, and without wasm or React.
// entry.js tells the person where it fails.
(() => {
  const { font, later } = document.currentScript.dataset;
  const { dataset } = document.documentElement;
  // Rejects where nobody answered.
  window.vinculaValidate = async () => {
    // Or the style sheet shows the button that posts by hand.
    dataset.validation = 'begun';
    const response = await fetch('/api/validate_token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input: { query: location.search } }),
    });
    const { kind, to } = await response.json();
    if (kind === 'no_reply') throw new Error(kind);
    location.replace(typeof to === 'string' && /^\/(?![/\\])/.test(to) ? to : '/error/token-invalid');
  };
  // The next page's font, but never in front of the answer: it fills the round trip after it.
  setTimeout(() => {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href: font });
    document.head.append(link);
  }, 100);
  if (later !== undefined) return;
  // A page that the browser draws ahead of time uses up no token before somebody sees it.
  const seen = (start) => new Promise((done) => document.addEventListener('prerenderingchange', () => done(start())));
  window.vinculaValidation = document.prerendering ? seen(window.vinculaValidate) : window.vinculaValidate();
  // Where entry.js does not get to run, the button is there again.
  window.vinculaValidation.catch(() => delete dataset.validation);
})();
