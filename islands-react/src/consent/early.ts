/**
 * Runs inline right after the prerendered consent screen, long before hydration: ticking enables the button, and
 * submitting sends the consent, once. React takes over by marking the form `data-live`.
 */
import { acceptConsent } from '../api';
import { react } from '../failure';
import { replace } from '../navigate';

const form = document.querySelector<HTMLFormElement>('form[action="/integration/widget"]');
const box = form?.querySelector<HTMLInputElement>('input[name="consent"]');
const session = form?.querySelector<HTMLInputElement>('input[name="session"]');
const button = form?.querySelector<HTMLButtonElement>('button');
const hint = form?.querySelector<HTMLElement>('.button__hint');

if (form && box && session && button) {
  const follow = (): void => {
    if (form.dataset.live !== undefined) return;
    button.disabled = !box.checked;
    if (hint) hint.hidden = box.checked;
  };
  box.addEventListener('change', follow);
  form.addEventListener('submit', (event) => {
    if (form.dataset.live !== undefined) return;
    // A native form post would leave the consent in the history (spec §2).
    event.preventDefault();
    if (form.dataset.sent !== undefined || !box.checked) return;
    form.dataset.sent = '';
    button.setAttribute('aria-busy', 'true');
    void acceptConsent({ session: session.value }).then((outcome) => {
      if (outcome.ok) return replace(outcome.data.to);
      if (react(outcome.failure) === 'leaves') return;
      delete form.dataset.sent;
      button.removeAttribute('aria-busy');
    });
  });
  // A page shown again from the back/forward cache must not stay busy.
  window.addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    delete form.dataset.sent;
    button.removeAttribute('aria-busy');
  });
  follow();
}
