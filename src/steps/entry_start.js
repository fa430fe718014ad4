// Starts the validation of the link (design D2) while the head is read: scripts further down wait for the stylesheet.
// entry.js does the rest.
(() => {
  window.vinculaValidate = () =>
    fetch('/api/validate_token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input: { query: location.search } }),
    });
  if (document.currentScript.dataset.later !== undefined) return;
  window.vinculaValidation = window.vinculaValidate();
  // Until entry.js looks at it.
  window.vinculaValidation.catch(() => {});
})();
