import type { ReactNode } from 'react';
import { connect as words } from '../messages';

type Props = {
  firm: string;
  /** Whether its title is the page's heading. */
  isHeading: boolean;
};

/** Who asks for an update, and why. */
export function UpdateReason({ firm, isHeading }: Props): ReactNode {
  const title = words.updateTitle(firm);
  return (
    <div className="connect__reason">
      {isHeading ? (
        <h1 className="step__title" tabIndex={-1}>
          {title}
        </h1>
      ) : (
        <p className="step__title">{title}</p>
      )}
      <p>{words.updateReason(firm)}</p>
    </div>
  );
}
