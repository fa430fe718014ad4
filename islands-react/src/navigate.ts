/** Leaving the page: always to a path of ours, always replacing the history entry. */

export const ACCOUNTS = '/integration/accounts';
export const TOKEN_INVALID = '/error/token-invalid';

/** Whether a text is a path of this origin: `//host` and `/\host` are other origins to a browser. */
export function isOwnPath(to: string): boolean {
  return /^\/(?!\/)[^\\\s]*$/.test(to);
}

/** Goes to a path of ours; anything else goes to the error screen instead of to a stranger. */
export function replace(to: string): void {
  window.location.replace(isOwnPath(to) ? to : TOKEN_INVALID);
}

export function reload(): void {
  window.location.reload();
}
