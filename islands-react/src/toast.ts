/** Toasts are shown by an island of the shell; what is pushed before it lives waits in the array. */

export type Toast = { kind: 'error' | 'success' | 'info'; message: string };

declare global {
  interface Window {
    vinculaToasts?: Toast[];
  }
}

export function toast(kind: Toast['kind'], message: string): void {
  window.vinculaToasts ??= [];
  window.vinculaToasts.push({ kind, message });
  window.dispatchEvent(new Event('vincula:toast'));
}
