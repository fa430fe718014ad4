/** Puts the page around a dialog out of reach. */

/** Live regions stay: an inert region is silent, and a toast must still be heard while the dialog is open. */
const LIVE = '[role="status"], [role="alert"], [aria-live], [data-toasts]';

/** Makes everything inert that neither holds the element nor lies in it; returns the way back. */
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
  // A dialog that opens over this one has the page to itself.
  if (element.matches(`script, style, link, dialog, [inert], ${LIVE}`)) return;
  if (element.querySelector(LIVE) !== null) {
    for (const child of element.children) makeInert(child, made);
    return;
  }
  element.setAttribute('inert', '');
  made.push(element);
}
