import { Component, type ReactNode } from 'react';
import { broken } from '../messages';
import { reload } from '../page/navigate';
import { Button } from './Button';

type Props = { report: (error: unknown) => void; children: ReactNode };
type State = { status: 'fine' } | { status: 'broken' };

/** Shows a card instead of an island that throws, and reports the error; the rest of the page keeps working. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { status: 'fine' };

  static getDerivedStateFromError(): State {
    return { status: 'broken' };
  }

  override componentDidCatch(error: unknown): void {
    this.props.report(error);
  }

  override render(): ReactNode {
    if (this.state.status === 'fine') return this.props.children;
    return (
      <div className="card" role="alert">
        <h2 className="card__title">{broken.title}</h2>
        <p>{broken.text}</p>
        <Button kind="primary" onClick={reload}>
          {broken.reload}
        </Button>
      </div>
    );
  }
}
