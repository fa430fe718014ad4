/**
 * The boundary to Pluggy Connect. What comes out of the SDK is unknown to us and leaves as `PluggyNews`; faults of
 * any kind, a throw in the constructor included, become `broken`. The only file that knows the SDK.
 */
import type { ConnectStart } from '../generated/ConnectStart';
import { isRecord } from '../wire';
import { pageNonce, withStyleNonce } from './style-nonce';

/** Loading the SDK and opening the widget together (design D14). */
export const OPEN_TIMEOUT_MS = 20_000;

/** A company account whose other owners have yet to approve: comes as an error, is none. */
const PENDING_CODE = 'USER_AUTHORIZATION_PENDING';

export type PluggyNews =
  | { type: 'opened' }
  | { type: 'succeeded'; itemId: string }
  | { type: 'erred'; message: string; itemId: string | null; pending: boolean }
  /** Closed by the person. Closing by `Widget.close` is silent. */
  | { type: 'closed' }
  /** Did not open. */
  | { type: 'broken'; reason: string };

export type Widget = { close(): void };

/** Opens the widget in a container of its own inside `frame`. */
export type OpenPluggy = (frame: Element, start: ConnectStart, tell: (news: PluggyNews) => void) => Widget;

/** The part of the SDK that we use. */
type Sdk = { PluggyConnect: new (props: SdkProps) => { init(container: HTMLElement): Promise<void> } };

export type SdkProps = {
  connectToken: string;
  includeSandbox: boolean;
  updateItem?: string;
  url: string;
  language: 'pt';
  theme: 'light';
  openFinanceParameters: { cpf?: string; cnpj?: string };
  timeout: number;
  /** For the style of the spinner that the SDK shows in a blank frame meanwhile. The Connect page gets to see it. */
  cspNonce?: string;
  onSuccess: (data: unknown) => void;
  onError: (error: unknown) => void;
  onClose: () => void;
};

/** Whether the SDK's file has failed to arrive. Browsers up to Chromium 150 keep that answer as long as the page. */
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
  return (frame, start, tell) => {
    const container = document.createElement('div');
    frame.append(container);
    let closing = false;

    /** To close the SDK's modal is to remove its container; it then tells onClose, which is no news any more. */
    function close(): void {
      closing = true;
      clearTimeout(timer);
      container.remove();
    }

    function fail(error: unknown): void {
      if (closing) return;
      close();
      tell({ type: 'broken', reason: error instanceof Error ? error.message : String(error) });
    }

    // The SDK's own timeout leaves out its download and, when it strikes, leaves the page locked until removal.
    const timer = setTimeout(() => fail(new Error(`no answer in ${OPEN_TIMEOUT_MS} ms`)), OPEN_TIMEOUT_MS);

    async function open(): Promise<void> {
      const { PluggyConnect } = await load();
      if (closing) return;
      const widget = new PluggyConnect({
        ...propsOf(start),
        onSuccess: (data) => {
          const itemId = itemIdOf(data);
          if (itemId !== null) tell({ type: 'succeeded', itemId });
        },
        onError: (error) => tell(erred(error)),
        onClose: () => {
          if (closing) return;
          close();
          tell({ type: 'closed' });
        },
      });
      await withStyleNonce(() => widget.init(container));
      if (closing) return;
      clearTimeout(timer);
      tell({ type: 'opened' });
    }

    open().catch(fail);
    return { close };
  };
}

function propsOf({ connectToken, includeSandbox, updateItem, url, cpf, cnpj }: ConnectStart) {
  const nonce = pageNonce();
  return {
    connectToken,
    includeSandbox,
    ...(updateItem ? { updateItem } : {}),
    url,
    language: 'pt',
    theme: 'light',
    openFinanceParameters: { ...(cpf ? { cpf } : {}), ...(cnpj ? { cnpj } : {}) },
    timeout: OPEN_TIMEOUT_MS,
    ...(nonce === '' ? {} : { cspNonce: nonce }),
  } as const;
}

function erred(error: unknown): PluggyNews {
  const message = isRecord(error) && typeof error.message === 'string' ? error.message : 'unknown';
  const data = isRecord(error) ? error.data : undefined;
  return { type: 'erred', message, itemId: itemIdOf(data), pending: isPending(error) };
}

/** Where the code stands is not documented: the message, the error's code, or the item's execution status. */
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
