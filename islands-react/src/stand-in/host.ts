/** What the SDK gives its child page: the props of the host as zoid hands them over in `window.xprops`. */
import { create } from 'zoid/dist/zoid.frame.js';
import { isRecord } from '../wire';

/** The tag under which the SDK looks for its child. */
const SDK_TAG = 'pluggy-connect-widget';

export type Host = {
  connectToken: string;
  includeSandbox: boolean;
  updateItem: string | null;
  cpf: string | null;
  cnpj: string | null;
  /** Calls a callback of the host; one that the host left out is passed over. */
  tell: (callback: 'onSuccessProp' | 'onErrorProp' | 'onEventProp', data: unknown) => void;
  close: () => void;
};

declare global {
  interface Window {
    xprops?: unknown;
  }
}

/** Shakes hands with the host; undefined when the page was opened by itself. */
export function joinHost(): Host | undefined {
  create({ tag: SDK_TAG, url: () => window.location.origin });
  const props = window.xprops;
  if (!isRecord(props)) return undefined;
  const documents = isRecord(props.openFinanceParameters) ? props.openFinanceParameters : {};
  return {
    connectToken: textOf(props.connectToken) ?? '',
    includeSandbox: props.includeSandbox === true,
    updateItem: textOf(props.updateItem),
    cpf: textOf(documents.cpf),
    cnpj: textOf(documents.cnpj),
    tell: (callback, data) => call(props[callback], data),
    close: () => call(props.close),
  };
}

function call(callback: unknown, ...data: unknown[]): void {
  if (typeof callback !== 'function') return;
  // Across windows every call is a promise; a host that is gone by then is nobody's trouble.
  void Promise.resolve(callback(...data)).catch(() => {});
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
