/**
 * Runs inline right after the prerendered consent screen, long before React: the tick already enables the button,
 * and the native post already refuses a second click. React takes over by marking the form `data-live`.
 */
const form = document.querySelector<HTMLFormElement>('form[action="/integration/widget"]');
const box = form?.querySelector<HTMLInputElement>('input[name="consent"]');
const button = form?.querySelector<HTMLButtonElement>('button');
const hint = form?.querySelector<HTMLElement>('.button__hint');

if (form && box && button) {
  const follow = (): void => {
    if (form.dataset.live !== undefined) return;
    button.disabled = !box.checked;
    if (hint) hint.hidden = box.checked;
  };
  box.addEventListener('change', follow);
  form.addEventListener('submit', (event) => {
    if (form.dataset.live !== undefined) return;
    if (form.dataset.sent !== undefined) return event.preventDefault();
    form.dataset.sent = '';
    button.setAttribute('aria-busy', 'true');
  });
  // A page shown again from the back/forward cache must not stay busy.
  window.addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    delete form.dataset.sent;
    button.removeAttribute('aria-busy');
  });
  follow();
}

export {};
