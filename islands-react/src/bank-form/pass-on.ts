/** Passes a text on: to an app of the person's choice, or else to the clipboard. */

export type PassedOn = 'shared' | 'copied' | 'dismissed' | 'failed';

/** Whether the browser offers a choice of apps. */
export function canShare(): boolean {
  return typeof navigator.share === 'function';
}

export async function passOn(text: string): Promise<PassedOn> {
  if (!canShare()) return copy(text);
  try {
    await navigator.share({ text });
    return 'shared';
  } catch (error) {
    // Some embedded browsers have the method and refuse it.
    return error instanceof DOMException && error.name === 'AbortError' ? 'dismissed' : copy(text);
  }
}

async function copy(text: string): Promise<PassedOn> {
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    return 'failed';
  }
}
