/** Makes the page around a dialog inert. */

/** Live regions stay active: inert ones are not announced, and toasts must be while the dialog is open. */
const LIVE = '[role="status"], [role="alert"], [aria-live], [data-toasts]';

/** Makes all elements inert except this one, its ancestors and its descendants; returns a function that undoes it. */
export function inertOutside(element: Element): () => void {
  const made: Element[] = [];
  for (let inner = element; inner.parentElement !== null && inner !== document.body; inner = inner.parentElement) {
    for (const sibling of inner.parentElement.children) {
      if (sibling !== inner) makeInert(sibling, made);
    }
  }
  return () => {
    for (const one of made) one.removeAttribute('inert');
  };
}

function makeInert(element: Element, made: Element[]): void {
  // A `<dialog>` may open over this one, and must not be inert then.
  if (element.matches(`script, style, link, dialog, [inert], ${LIVE}`)) return;
  if (element.querySelector(LIVE) !== null) {
    for (const child of element.children) makeInert(child, made);
    return;
  }
  element.setAttribute('inert', '');
  made.push(element);
}
