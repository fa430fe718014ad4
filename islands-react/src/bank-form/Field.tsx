import type { ReactNode } from 'react';

/** The attributes that link an input to its label, hint and error. */
export type FieldLinks = { id: string; invalid: boolean; describedBy: string | undefined };

type Props = {
  id: string;
  label: string;
  hint?: string | undefined;
  error: string | undefined;
  children: (links: FieldLinks) => ReactNode;
};

/** Label, input, hint and error of one field. */
export function Field({ id, label, hint, error, children }: Props): ReactNode {
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [error !== undefined && errorId, hint !== undefined && hintId].filter(Boolean).join(' ');
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
      <p className="field__error" id={errorId}>
        {error}
      </p>
    </div>
  );
}
