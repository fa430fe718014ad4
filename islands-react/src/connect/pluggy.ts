/**
 * Adapter for Pluggy Connect, the only file that uses its SDK. Converts the SDK's untyped callbacks to `PluggyEvent`.
 * Whatever keeps the widget from opening, including a throw in its constructor, becomes `failed`.
 */
import type { ConnectorType, ConnectStart } from '../generated/types';
import { pageNonce } from '../page-nonce';
import { isRecord } from '../wire';
import { type Stepped, stepReader } from './steps';
import { withStyleNonce } from './style-nonce';

/** The limit for loading the SDK and opening the widget, together (design D14). */
export const OPEN_TIMEOUT_MS = 20_000;

/** Other owners of a company account have yet to approve; the SDK reports this as an error. */
const PENDING_CODE = 'USER_AUTHORIZATION_PENDING';

export type PluggyEvent =
  | { type: 'opened' }
  | { type: 'succeeded'; itemId: string }
  | { type: 'error'; message: string; itemId: string | null; pending: boolean }
  /** A step inside Connect. */
  | ({ type: 'step' } & Stepped)
  /** The user closed the widget; `Widget.close` does not emit this. */
  | { type: 'closed' }
  /** The widget did not open. */
  | { type: 'failed'; reason: string };

export type Widget = { close(): void };

/** Opens the widget in a container of its own inside `frame`. */
export type OpenPluggy = (frame: Element, start: ConnectStart, emit: (event: PluggyEvent) => void) => Widget;

/** The part of the SDK that we use. */
type Sdk = { PluggyConnect: new (props: SdkProps) => { init(container: HTMLElement): Promise<void> } };

export type SdkProps = {
  connectToken: string;
  includeSandbox: boolean;
  products: string[];
  updateItem?: string;
  url: string;
  language: 'pt';
  theme: 'light' | 'dark';
  openFinanceParameters: { cpf?: string; cnpj?: string };
  selectedConnectorId?: number;
  connectorTypes?: ConnectorType[];
  timeout: number;
  /** For the style of the spinner that the SDK shows while the frame is blank. The Connect page receives it, too. */
  cspNonce?: string;
  onSuccess: (data: unknown) => void;
  onError: (error: unknown) => void;
  onEvent: (payload: unknown) => void;
  onClose: () => void;
};

/** Whether the import of the SDK failed. Browsers up to Chromium 150 cache a failed import as long as the page. */
let lost = false;

const loadSdk = async (): Promise<Sdk> => {
  if (lost) {
    location.reload();
    return new Promise(() => {});
  }
  const sdk: unknown = await import('pluggy-connect-sdk').catch((error: unknown) => {
    lost = true;
    throw error;
  });
  if (!isSdk(sdk)) throw new Error('pluggy-connect-sdk has no PluggyConnect');
  return sdk;
};

export function pluggyOpener(load: () => Promise<Sdk> = loadSdk): OpenPluggy {
  return (frame, start, emit) => {
    const container = document.createElement('div');
    frame.append(container);
    const readStep = stepReader(start.selectedConnectorId);
    let closing = false;

    /** Removing the container closes the SDK's modal; the SDK then calls onClose, which `closing` makes a no-op. */
    function close(): void {
      closing = true;
      clearTimeout(timer);
      container.remove();
    }

    function fail(error: unknown): void {
      if (closing) return;
      close();
      emit({ type: 'failed', reason: error instanceof Error ? error.message : String(error) });
    }

    // The SDK's own timeout excludes its download and, when it fires, leaves the page locked until removal.
    const timer = setTimeout(() => fail(new Error(`no answer in ${OPEN_TIMEOUT_MS} ms`)), OPEN_TIMEOUT_MS);

    async function open(): Promise<void> {
      const { PluggyConnect } = await load();
      if (closing) return;
      const widget = new PluggyConnect({
        ...propsOf(start),
        onSuccess: (data) => {
          const itemId = itemIdOf(data);
          if (itemId !== null) emit({ type: 'succeeded', itemId });
        },
        onError: (error) => emit(errorEvent(error)),
        onEvent: (payload) => {
          const stepped = readStep(payload);
          if (stepped !== undefined) emit({ type: 'step', ...stepped });
        },
        onClose: () => {
          if (closing) return;
          close();
          emit({ type: 'closed' });
        },
      });
      await withStyleNonce(() => widget.init(container));
      if (closing) return;
      clearTimeout(timer);
      hideDeadFrames(container);
      emit({ type: 'opened' });
    }

    open().catch(fail);
    return { close };
  };
}

function propsOf(start: ConnectStart) {
  const { connectToken, includeSandbox, products, updateItem, url, cpf, cnpj, selectedConnectorId, connectorType } =
    start;
  const nonce = pageNonce();
  return {
    connectToken,
    includeSandbox,
    products,
    ...(updateItem ? { updateItem } : {}),
    ...(selectedConnectorId ? { selectedConnectorId } : {}),
    ...(connectorType ? { connectorTypes: [connectorType] } : {}),
    url,
    language: 'pt',
    theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
    openFinanceParameters: { ...(cpf ? { cpf } : {}), ...(cnpj ? { cnpj } : {}) },
    timeout: OPEN_TIMEOUT_MS,
    ...(nonce === '' ? {} : { cspNonce: nonce }),
  } as const;
}

/**
 * The SDK keeps the frame that it showed until Connect's page answered. It has the same title as Connect's and is not
 * visible, but screen readers list it.
 */
function hideDeadFrames(container: Element): void {
  for (const frame of container.querySelectorAll('iframe[name^="__zoid_prerender"]')) {
    frame.setAttribute('aria-hidden', 'true');
    frame.setAttribute('tabindex', '-1');
  }
}

function errorEvent(error: unknown): PluggyEvent {
  const message = isRecord(error) && typeof error.message === 'string' ? error.message : 'unknown';
  const data = isRecord(error) ? error.data : undefined;
  return { type: 'error', message, itemId: itemIdOf(data), pending: isPending(error) };
}

/** Pluggy does not document where the code is: message, error code, or the item's execution status or error. */
function isPending(error: unknown): boolean {
  if (!isRecord(error)) return false;
  const item = isRecord(error.data) && isRecord(error.data.item) ? error.data.item : {};
  const itemError = isRecord(item.error) ? item.error : {};
  return [error.message, error.code, item.executionStatus, itemError.code].some(
    (text) => typeof text === 'string' && text.includes(PENDING_CODE),
  );
}

function itemIdOf(data: unknown): string | null {
  const item = isRecord(data) && isRecord(data.item) ? data.item : {};
  return typeof item.id === 'string' && item.id !== '' ? item.id : null;
}

function isSdk(value: unknown): value is Sdk {
  return typeof value === 'object' && value !== null && 'PluggyConnect' in value;
}
