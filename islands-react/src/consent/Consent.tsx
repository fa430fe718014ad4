import { type ReactNode, useEffect, useId } from 'react';
import { WIDGET } from '../generated/routes';
import { consent as words } from '../messages';
import { Button } from '../ui/Button';
import { PROGRESS_ID, Progress } from '../ui/Progress';

/** Texts of the session. At build time each is a token that the server replaces, so each is alone in its element. */
type ConsentProps = {
  session: string;
  /** Which text this is: the first digits of its SHA-256. */
  text: string;
  customerName: string;
  clientName: string;
  /** Masked CPF or CNPJ with its name, or empty. */
  clientDocument: string;
  purpose: string;
};

/**
 * The authorization screen down to its button; the five steps and the rest need no
 * script (`steps/consent.rs`). The page's script operates the form (`page/consent.ts`), so that it works before React
 * and without it; React draws each of its elements once and leaves them alone.
 */
export function Consent(texts: ConsentProps): ReactNode {
  const { session, text, customerName, clientName, clientDocument, purpose } = texts;
  const ids = { box: useId(), hint: useId() };

  useEffect(() => void window.vincula.operateConsent(), []);

  return (
    <section className="consent__part" data-standalone="">
      <div className="step__head">
        <Progress at="authorize" />
        <h1 className="step__title" tabIndex={-1} aria-describedby={PROGRESS_ID}>
          <strong>{customerName}</strong> <span>{words.title}</span>
        </h1>
        <p className="consent__client">
          <span>
            {words.forWhom} <strong>{clientName}</strong>
          </span>{' '}
          <span className="consent__document" data-client-document="">
            {clientDocument}
          </span>
        </p>
      </div>
      <p className="consent__promise">
        <svg className="consent__lock" viewBox="0 0 24 24" aria-hidden="true">
          <rect x="4.5" y="10.5" width="15" height="10" rx="2.5" />
          <path d="M8 10.5V7.5a4 4 0 0 1 8 0v3M12 14.5v2" />
        </svg>
        <strong>{words.readOnly}</strong> {words.readOnlyText}
      </p>
      <section className="consent__data">
        <h2 className="consent__subtitle">{words.dataTitle}</h2>
        <ul className="data-list">
          {words.data.map((item) => (
            <li key={item} className="data-list__item">
              {item}
            </li>
          ))}
        </ul>
        <p>
          <strong>{words.purpose}</strong> <span data-purpose="">{purpose}</span> <br />
          <strong>{words.term}</strong> <span>{words.termText}</span>
        </p>
      </section>
      <form
        className="step__form"
        method="post"
        action={WIDGET}
        autoComplete="off"
        // The page's script has changed it before hydration, and the box, the hint and the status below.
        suppressHydrationWarning
      >
        <input type="hidden" name="session" value={session} />
        <input type="hidden" name="text" value={text} />
        <div className="checkbox">
          <input
            className="checkbox__input"
            type="checkbox"
            id={ids.box}
            name="consent"
            value="yes"
            required
            aria-describedby={ids.hint}
            suppressHydrationWarning
          />
          <label className="checkbox__label" htmlFor={ids.box}>
            <span>{words.boxBefore}</span> <strong>{customerName}</strong> <span>{words.boxAfter}</span>
          </label>
        </div>
        <details className="disclosure">
          <summary>{words.doubt}</summary>
          <p>
            <span>{words.notYouBefore}</span> <span>{customerName}</span>
            <span>.</span> <span>{words.unknownBefore}</span> <span>{customerName}</span>{' '}
            <span>{words.unknownAfter}</span>
          </p>
        </details>
        <div className="actions">
          <Button kind="primary" type="submit" aria-describedby={ids.hint}>
            {words.submit}
          </Button>
          <p className="button__hint" id={ids.hint} suppressHydrationWarning>
            {words.hint}
          </p>
        </div>
        <p className="visually-hidden" role="status" suppressHydrationWarning>
          {''}
        </p>
      </form>
    </section>
  );
}
