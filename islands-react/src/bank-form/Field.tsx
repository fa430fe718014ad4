import type { ReactNode } from 'react';

/** The attributes that link an input to its label, hint and error. */
export type FieldLinks = { id: string; invalid: boolean; describedBy: string | undefined };

type Props = {
  id: string;
  label: string;
  hint?: string | undefined;
  /** Doubts about a value that may be sent. Its element is there from the start, so that it is announced. */
  warning?: string | undefined;
  error: string | undefined;
  children: (links: FieldLinks) => ReactNode;
};

/** Label, input, hint and error of one field. */
export function Field({ id, label, hint, warning, error, children }: Props): ReactNode {
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const warningId = `${id}-warning`;
  const describedBy = [error !== undefined && errorId, warning && warningId, hint !== undefined && hintId]
    .filter(Boolean)
    .join(' ');
  return (
    <div className="field" data-invalid={error !== undefined || undefined}>
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      {children({ id, invalid: error !== undefined, describedBy: describedBy || undefined })}
      {hint !== undefined && (
        <p className="field__hint" id={hintId}>
          {hint}
        </p>
      )}
      {warning !== undefined && (
        <p className="field__warning" id={warningId} role="status">
          {warning}
        </p>
      )}
      <p className="field__error" id={errorId}>
        {error}
      </p>
    </div>
  );
}
