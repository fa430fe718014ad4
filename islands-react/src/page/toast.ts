/** Toasts, top centre (spec §2, Layout). Their markup is a template of the document. */

const SHOWN_MS = 5000;

export type ToastKind = 'error' | 'success' | 'info';

/** Shows a toast. It disappears after five seconds, but not while the pointer is on it or the focus in it. */
export function toast(kind: ToastKind, message: string): void {
  const shown = copyOfTemplate();
  if (shown === undefined) return;
  shown.className = `toast toast--${kind}`;
  const [text, close] = [shown.firstElementChild, shown.lastElementChild];
  if (text) text.textContent = message;
  let pointed = false;
  let focused = false;
  let focusedBefore: EventTarget | null = null;
  let timer = 0;
  const remove = (): void => {
    clearTimeout(timer);
    // Removing an element takes the focus out of it.
    const next = focused ? focusedBefore : null;
    shown.remove();
    if (next instanceof HTMLElement) next.focus();
  };
  const schedule = (): void => {
    clearTimeout(timer);
    if (!pointed && !focused) timer = window.setTimeout(remove, SHOWN_MS);
  };
  const point = (on: boolean) => (): void => {
    pointed = on;
    schedule();
  };
  const isInside = (target: EventTarget | null): boolean => target instanceof Node && shown.contains(target);
  shown.addEventListener('mouseenter', point(true));
  shown.addEventListener('mouseleave', point(false));
  shown.addEventListener('focusin', ({ relatedTarget }) => {
    if (!isInside(relatedTarget)) focusedBefore = relatedTarget;
    focused = true;
    schedule();
  });
  shown.addEventListener('focusout', ({ relatedTarget }) => {
    focused = isInside(relatedTarget);
    schedule();
  });
  close?.addEventListener('click', remove);
  schedule();
  document.getElementById('toasts')?.append(shown);
}

function copyOfTemplate(): HTMLElement | undefined {
  const template = document.getElementById('toast');
  const content = template instanceof HTMLTemplateElement ? template.content.firstElementChild : null;
  const copy = content?.cloneNode(true);
  return copy instanceof HTMLElement ? copy : undefined;
}
