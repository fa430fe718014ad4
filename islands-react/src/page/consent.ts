/**
 * Operates the consent form, before React and with it: ticking the box enables the button, and submitting sends the
 * consent once, or says what is missing. React only draws the form.
 */
import { WIDGET } from '../generated/routes';
import { common } from '../messages';

const SLOW_AFTER_MS = 8000;

/** Makes the form work, once. Returns whether there is one. */
export function operateConsent(): boolean {
  const form = document.querySelector<HTMLFormElement>(`form[action="${WIDGET}"]`);
  const input = (name: string) => form?.querySelector<HTMLInputElement>(`input[name="${name}"]`);
  const [box, session, text] = [input('consent'), input('session'), input('text')];
  const button = form?.querySelector<HTMLButtonElement>('button');
  const hint = form?.querySelector<HTMLElement>('.button__hint');
  const slow = form?.querySelector('[role="status"]');
  if (!form || !box || !session || !text || !button || !hint || !slow) return false;
  // Only this function sets it.
  if (form.noValidate) return true;
  // Without JavaScript the browser's own words say that the box is missing.
  form.noValidate = true;
  let sent = false;
  let timer = 0;
  closeOnPhones();

  const set = (element: Element, attribute: string, value: string | false): void => {
    if (value === false) element.removeAttribute(attribute);
    else element.setAttribute(attribute, value);
  };
  const follow = (): void => {
    hint.hidden = box.checked;
    // A hidden hint would still be read as the description of what refers to it.
    for (const element of [box, button]) set(element, 'aria-describedby', !box.checked && hint.id);
    set(button, 'aria-disabled', (!box.checked || sent) && 'true');
    set(button, 'aria-busy', sent && 'true');
  };
  const refuse = (refused: boolean): void => {
    set(form, 'data-refused', refused && '');
    set(box, 'aria-invalid', refused && 'true');
  };
  const explain = (isSlow: boolean): void => {
    slow.className = isSlow ? 'field__hint' : 'visually-hidden';
    slow.textContent = isSlow ? common.slow : '';
  };
  const settle = (): void => {
    sent = false;
    clearTimeout(timer);
    explain(false);
    follow();
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    // The browser's own post would leave the consent in the history.
    event.preventDefault();
    if (sent) return;
    if (!box.checked) {
      // The box says why. The button is `aria-disabled`, so that it can be reached and pressed.
      refuse(true);
      box.focus();
      return;
    }
    sent = true;
    timer = window.setTimeout(() => explain(true), SLOW_AFTER_MS);
    follow();
    const answer = await window.vincula.post('accept_consent', { session: session.value, text: text.value });
    if (answer.ok) window.vincula.replace(answer.data.to);
    else if (window.vincula.handleFailure(answer.failure)) settle();
  };
  box.addEventListener('change', () => {
    refuse(false);
    follow();
  });
  form.addEventListener('submit', submit);
  window.addEventListener('vincula-stays', settle);
  follow();
  return true;
}

/** On a wide screen the answers stand beside the form; below it, on a phone, their questions do. */
function closeOnPhones(): void {
  if (matchMedia('(min-width: 850px)').matches) return;
  for (const answer of document.querySelectorAll<HTMLDetailsElement>('.consent__more details')) answer.open = false;
}
