/** What the page does about a failed action (spec §8). */
import type { FieldError } from './generated/FieldError';
import type { Reaction } from './generated/Reaction';
import { common } from './messages';
import { replace, TOKEN_INVALID } from './navigate';
import { toast } from './toast';

/** Whether the page stays usable afterwards or is about to be left. */
export type Aftermath = 'stays' | 'leaves';

export function react(failure: Reaction, showFields?: (fields: FieldError[]) => void): Aftermath {
  switch (failure.kind) {
    case 'no_reply':
      toast('error', common.noReply);
      return 'stays';
    case 'navigate':
      replace(failure.to);
      return 'leaves';
    case 'other_tab':
      window.dispatchEvent(new Event('vincula:other-tab'));
      return 'stays';
    case 'invalid':
      if (showFields === undefined) {
        replace(TOKEN_INVALID);
        return 'leaves';
      }
      showFields(failure.fields);
      return 'stays';
  }
}
