import { type ReactNode, type SubmitEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { WIDGET } from '../generated/routes';
import { consent as words } from '../messages';
import { Button } from '../ui/Button';
import { Slow } from '../ui/Loading';

/** Texts of the session. At build time each is a token that the server replaces, so each is alone in its element. */
type ConsentProps = {
  session: string;
  customerName: string;
  clientName: string;
  /** Masked CPF or CNPJ, or empty. */
  clientDocument: string;
  /** Sends the consent. Resolves to whether the page stays, so that the user can try again. */
  accept: () => Promise<boolean>;
};

/** The authorization screen (spec §2, `/integration/widget`). Its form also works before and without React. */
export function Consent({ session, customerName, clientName, clientDocument, accept }: ConsentProps): ReactNode {
  const [ticked, setTicked] = useState(false);
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const ids = { box: useId(), hint: useId() };

  // The user may have ticked the box before hydration: only the DOM has its state.
  useLayoutEffect(() => {
    setTicked(box.current?.checked ?? false);
    if (form.current) form.current.dataset.live = '';
  }, []);

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const alreadyPosted = form.current?.dataset.sent !== undefined;
    if (sending.current || alreadyPosted || !box.current?.checked) return;
    sending.current = true;
    setBusy(true);
    if (!(await accept())) return;
    sending.current = false;
    setBusy(false);
  }

  return (
    <section className="step" data-prerendered="" data-standalone="">
      <div className="step__head">
        <h1 className="step__title" tabIndex={-1}>
          <strong>{customerName}</strong> <span>{words.title}</span>
        </h1>
        <p className="step__lead">{words.readOnly}</p>
        <p>
          <span>{words.forWhom}</span> <strong>{clientName}</strong>{' '}
          <span data-client-document="">{clientDocument}</span>
        </p>
      </div>
      <div className="step__columns">
        <section className="step__section">
          <h2 className="step__subtitle">{words.stepsTitle}</h2>
          <ol className="steps">
            {words.steps.map((text, index) => (
              <li key={text} className="steps__item" aria-current={index === 0 ? 'step' : undefined}>
                <span className="steps__number" aria-hidden="true">
                  {index + 1}
                </span>
                <span className="steps__text">{text}</span>
              </li>
            ))}
          </ol>
        </section>
        <section className="step__section">
          <h2 className="step__subtitle">{words.dataTitle}</h2>
          <ul className="data-list">
            {words.data.map((text) => (
              <li key={text} className="data-list__item">
                {text}
              </li>
            ))}
          </ul>
          <div className="notice">
            <div>
              <p>{words.neverAsked}</p>
              <p>{words.cancelled}</p>
            </div>
          </div>
        </section>
      </div>
      <form ref={form} className="step__form" method="post" action={WIDGET} autoComplete="off" onSubmit={submit}>
        <input type="hidden" name="session" value={session} />
        <div className="checkbox">
          <input
            ref={box}
            className="checkbox__input"
            type="checkbox"
            id={ids.box}
            name="consent"
            value="yes"
            autoComplete="off"
            onChange={(event) => setTicked(event.target.checked)}
          />
          <label className="checkbox__label" htmlFor={ids.box}>
            <span>{words.boxBefore}</span> <strong>{customerName}</strong> <span>{words.boxAfter}</span>
          </label>
        </div>
        <div className="actions">
          <Button kind="primary" submit busy={busy} disabled={!ticked} describedBy={ticked ? undefined : ids.hint}>
            {words.submit}
          </Button>
          <p className="button__hint" id={ids.hint} hidden={ticked} suppressHydrationWarning>
            {words.hint}
          </p>
        </div>
        <Slow busy={busy} />
      </form>
    </section>
  );
}
