/** The props that the SDK passes to its child page, through zoid's `window.xprops`. */
import { create } from 'zoid/dist/zoid.frame.js';
import { isRecord } from '../wire';

/** The zoid tag that the SDK expects of its child. */
const SDK_TAG = 'pluggy-connect-widget';

export type Host = {
  connectToken: string;
  includeSandbox: boolean;
  updateItem: string | null;
  cpf: string | null;
  cnpj: string | null;
  /** The connector of the bank that was chosen before. */
  selectedConnectorId: number | null;
  /** The only types of connectors to list; empty: all. */
  connectorTypes: string[];
  theme: 'light' | 'dark';
  /** Calls a callback of the host, if the host passed it. */
  call: (callback: 'onSuccessProp' | 'onErrorProp' | 'onEventProp', data: unknown) => void;
  close: () => void;
};

declare global {
  interface Window {
    xprops?: unknown;
  }
}

/** Performs zoid's handshake with the host; undefined if no host has opened the page. */
export function connectToHost(): Host | undefined {
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
    selectedConnectorId: typeof props.selectedConnectorId === 'number' ? props.selectedConnectorId : null,
    connectorTypes: Array.isArray(props.connectorTypes) ? props.connectorTypes.map(String) : [],
    theme: props.theme === 'dark' ? 'dark' : 'light',
    call: (callback, data) => invoke(props[callback], data),
    close: () => invoke(props.close),
  };
}

function invoke(callback: unknown, ...data: unknown[]): void {
  if (typeof callback !== 'function') return;
  // Calls across windows return promises; if the host is gone, there is nothing to do.
  void Promise.resolve(callback(...data)).catch(() => {});
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
