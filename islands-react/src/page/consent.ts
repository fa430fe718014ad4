/**
 * Operates the consent form, before React and with it: ticking the box enables the button, and submitting sends the
 * consent once, or says what is missing. React only draws the form, and listens to its event `busy`.
 */
import { WIDGET } from '../generated/routes';

const operated = new WeakSet<HTMLFormElement>();

/** Makes a form work, the page's own if none is given, and no form twice. Returns whether there is one. */
export function operateConsent(form = document.querySelector<HTMLFormElement>(`form[action="${WIDGET}"]`)): boolean {
  const input = (name: string) => form?.querySelector<HTMLInputElement>(`input[name="${name}"]`);
  const [box, session, text] = [input('consent'), input('session'), input('text')];
  const button = form?.querySelector<HTMLButtonElement>('button');
  const hint = form?.querySelector<HTMLElement>('.button__hint');
  if (!form || !box || !session || !text || !button || !hint) return false;
  if (operated.has(form)) return true;
  operated.add(form);

  const set = (element: Element, attribute: string, value: string | false): void => {
    if (value === false) element.removeAttribute(attribute);
    else element.setAttribute(attribute, value);
  };
  const isSent = (): boolean => form.dataset.sent !== undefined;
  const follow = (): void => {
    hint.hidden = box.checked;
    // A hidden hint would still be read as the description of what refers to it.
    for (const element of [box, button]) set(element, 'aria-describedby', !box.checked && hint.id);
    set(button, 'aria-disabled', (!box.checked || isSent()) && 'true');
    set(button, 'aria-busy', isSent() && 'true');
    form.dispatchEvent(new Event('busy'));
  };
  const refuse = (refused: boolean): void => {
    set(form, 'data-refused', refused && '');
    set(box, 'aria-invalid', refused && 'true');
  };
  const settle = (): void => {
    delete form.dataset.sent;
    follow();
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    // The browser's own post would leave the consent in the history.
    event.preventDefault();
    if (isSent()) return;
    if (!box.checked) {
      // The box says why. The button is `aria-disabled`, so that it can be reached and pressed.
      refuse(true);
      box.focus();
      return;
    }
    form.dataset.sent = '';
    follow();
    const answer = await window.vincula.post('accept_consent', { session: session.value, text: text.value });
    if (answer.ok) window.vincula.replace(answer.data.to);
    else if (window.vincula.handleFailure(answer.failure)) settle();
  };
  // Without JavaScript the browser's own words say that the box is missing.
  form.noValidate = true;
  box.addEventListener('change', () => {
    refuse(false);
    follow();
  });
  form.addEventListener('submit', submit);
  window.addEventListener('vincula-stays', settle);
  follow();
  return true;
}
