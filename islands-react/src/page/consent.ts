/**
 * Operates the prerendered consent form before React hydrates it: ticking the box enables the button, and submitting
 * sends the consent once, or says what is missing. React takes over by marking the form `data-live`.
 */
import { acceptConsent } from '../api';
import { refuse } from '../consent/refuse';
import { WIDGET } from '../generated/routes';

/** Returns whether the page has a consent form, which now works. */
export function operateConsent(): boolean {
  const form = document.querySelector<HTMLFormElement>(`form[action="${WIDGET}"]`);
  const box = form?.querySelector<HTMLInputElement>('input[name="consent"]');
  const session = form?.querySelector<HTMLInputElement>('input[name="session"]');
  const text = form?.querySelector<HTMLInputElement>('input[name="text"]');
  const button = form?.querySelector<HTMLButtonElement>('button');
  const hint = form?.querySelector<HTMLElement>('.button__hint');
  if (!form || !box || !session || !button) return false;

  const isLive = (): boolean => form.dataset.live !== undefined;
  const follow = (): void => {
    if (isLive()) return;
    if (box.checked) button.removeAttribute('aria-disabled');
    else button.setAttribute('aria-disabled', 'true');
    if (hint) hint.hidden = box.checked;
  };
  const settle = (): void => {
    delete form.dataset.sent;
    button.removeAttribute('aria-busy');
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    if (isLive()) return;
    // The browser's own post would leave the consent in the history (spec §2).
    event.preventDefault();
    if (form.dataset.sent !== undefined) return;
    if (!box.checked) return refuse(form, box);
    form.dataset.sent = '';
    button.setAttribute('aria-busy', 'true');
    const outcome = await acceptConsent({ session: session.value, text: text?.value ?? null });
    if (outcome.ok) window.vincula.replace(outcome.data.to);
    else if (window.vincula.handleFailure(outcome.failure)) settle();
  };
  // Without JavaScript the browser's own words say that the box is missing.
  form.noValidate = true;
  box.addEventListener('change', follow);
  form.addEventListener('submit', submit);
  // A page from the back/forward cache must not stay busy.
  window.addEventListener('pageshow', ({ persisted }) => persisted && settle());
  follow();
  return true;
}
