/** The answer of an action. Apart from the client, which keeps what `kept.ts` delivers by it. */
import type { Reaction } from '../generated/types';

export type Answer<T> = { ok: true; data: T } | { ok: false; failure: Reaction; retryAfterMs: number };
