/** The nonce of the page's scripts and styles: beside `page/`, Connect needs it for the style of Pluggy's SDK. */

export function pageNonce(): string {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
}

/** Runs `open` with a `createElement` that sets the nonce on every `<style>`, and restores the original. */
export async function withStyleNonce<T>(open: () => Promise<T>): Promise<T> {
  const nonce = pageNonce();
  if (nonce === '') return open();
  const original = document.createElement;
  const wrapped = (name: string, options?: ElementCreationOptions): HTMLElement => {
    const element = original.call(document, name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
  document.createElement = wrapped as unknown as typeof original;
  try {
    return await open();
  } finally {
    // If other code has wrapped it since, restoring would remove that wrapper: both stay.
    if (document.createElement === (wrapped as unknown)) document.createElement = original;
  }
}
