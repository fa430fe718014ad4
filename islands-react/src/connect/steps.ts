/** Connect's own steps, for the funnel: the SDK's `onEvent` in our words. */
import type { ConnectStep } from '../generated/types';
import { isRecord } from '../wire';

/** The events that count; any other name is dropped. */
const STEPS = new Map<unknown, ConnectStep>([
  ['SELECTED_INSTITUTION', 'institution'],
  ['SUBMITTED_CONSENT', 'consent'],
  ['SUBMITTED_LOGIN', 'login'],
  ['LOGIN_SUCCESS', 'login_accepted'],
  ['SUBMITTED_MFA', 'mfa'],
  ['LOGIN_MFA_SUCCESS', 'mfa_accepted'],
]);

export type Stepped = { step: ConnectStep; connector: number | null };

/** Reads one event after the other; `chosen` is the connector until an event names another. */
export function stepReader(chosen: number | null): (payload: unknown) => Stepped | undefined {
  let connector = chosen;
  return (payload) => {
    const step = isRecord(payload) ? STEPS.get(payload.event) : undefined;
    if (!isRecord(payload) || step === undefined) return undefined;
    if (step === 'institution') connector = isRecord(payload.connector) ? idOf(payload.connector.id) : null;
    return { step, connector };
  };
}

/** An id as the server reads it: 32 bits. */
function idOf(id: unknown): number | null {
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id < 2 ** 32 ? id : null;
}
