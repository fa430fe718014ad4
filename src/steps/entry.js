// Follows the validation of the link (design D2): a POST, so that a link preview never uses up a token, and without wasm
// or React. entry_start.js has begun it.
(() => {
  const title = document.getElementById('entry-title');
  const waiting = document.getElementById('entry-waiting');
  const failed = document.getElementById('entry-failed');
  const form = document.getElementById('entry-form');
  const stay = () => {
    title.textContent = title.dataset.failed;
    waiting.hidden = true;
    failed.hidden = false;
    (window.vinculaToasts ||= []).push({ kind: 'error', message: form.dataset.noReply });
    window.dispatchEvent(new Event('vincula:toast'));
  };
  const validate = async () => {
    title.textContent = title.dataset.validating;
    waiting.hidden = false;
    failed.hidden = true;
    let answer;
    try {
      const response = await (window.vinculaValidation ?? window.vinculaValidate());
      answer = await response.json();
    } catch {
      return stay();
    } finally {
      delete window.vinculaValidation;
    }
    if (answer.kind === 'no_reply') return stay();
    location.replace(typeof answer.to === 'string' && /^\/(?![/\\])/.test(answer.to) ? answer.to : '/error/token-invalid');
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    validate();
  });
  validate();
})();
