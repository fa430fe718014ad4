/**
 * Refuses a consent whose box is not ticked: marks the form, and leads to the box, which says why. The button is
 * `aria-disabled`, so that it can be reached and pressed.
 */
export function refuse(form: HTMLFormElement, box: HTMLInputElement): void {
  form.dataset.refused = '';
  box.focus();
}
