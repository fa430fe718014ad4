/** Leaves the page: always for a path of this origin, always replacing the history entry. */
import { TOKEN_INVALID } from '../generated/routes';

/** Whether a text is a path of this origin: to a browser, `//host` and `/\host` are other origins. */
export function isOwnPath(to: string): boolean {
  return /^\/(?!\/)[^\\\s]*$/.test(to);
}

/** Goes to a path of this origin. For anything else it goes to the error screen. */
export function replace(to: string): void {
  window.location.replace(isOwnPath(to) ? to : TOKEN_INVALID);
}

export function reload(): void {
  window.location.reload();
}
