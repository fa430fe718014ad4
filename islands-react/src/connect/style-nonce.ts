/** Pluggy's SDK makes a `<style>` without a nonce, which our style-src refuses (pluggy.md, security.md). */

/** The nonce of the page's scripts and styles, or empty. */
export function pageNonce(): string {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
}

/** Runs `open` while every `<style>` that is made gets the page's nonce; puts `createElement` back when it settles. */
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
    // Somebody may have wrapped it after us; then theirs stays, and ours with it.
    if (document.createElement === (wrapped as unknown)) document.createElement = original;
  }
}
