import type { ReactNode } from 'react';
import { progress } from '../messages';

/**
 * The id of the line. A title with the focus names it as its description (`aria-describedby`), because screen readers
 * begin at the title and would not read what is above it.
 */
export const PROGRESS_ID = 'passo';

/** The line above a title that counts the steps of a new integration (the server's twin: `pages/src/progress.rs`). */
export function Progress({ at }: { at: keyof typeof progress }): ReactNode {
  return (
    <p className="step__eyebrow" id={PROGRESS_ID}>
      {progress[at]}
    </p>
  );
}
