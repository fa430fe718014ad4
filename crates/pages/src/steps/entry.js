// Shows how the validation goes that entry_start.js has begun, and begins another when asked to.
(() => {
  const title = document.getElementById('entry-title');
  const waiting = document.getElementById('entry-waiting');
  const failed = document.getElementById('entry-failed');
  const form = document.getElementById('entry-form');
  const slow = document.getElementById('entry-slow');
  const SLOW_AFTER_MS = 8000;
  // From here on this script says how it goes.
  document.getElementById('entry-by-hand').hidden = true;
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
    const timer = setTimeout(() => {
      slow.hidden = false;
    }, SLOW_AFTER_MS);
    try {
      await (window.vinculaValidation ?? window.vinculaValidate());
    } catch {
      stay();
    } finally {
      clearTimeout(timer);
      slow.hidden = true;
      delete window.vinculaValidation;
    }
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    validate();
  });
  validate();
})();
