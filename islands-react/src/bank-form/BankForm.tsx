import { type ReactNode, type SubmitEvent, useEffect, useId, useState } from 'react';
import { ACCOUNTS } from '../generated/routes';
import type { BankFormContext, BankFormField } from '../generated/types';
import { bankForm as words } from '../messages';
import { Button } from '../ui/Button';
import { Slow, useStays } from '../ui/Loading';
import { PROGRESS_ID, Progress } from '../ui/Progress';
import { usePage } from '../use-page';
import { useAfterPress } from './after-press';
import { BankPicker } from './BankPicker';
import { bankList, type ListedBank, savedBank, shortKey } from './bank-list';
import { fold } from './bank-words';
import { Field, TextField } from './Field';
import {
  checkFields,
  eachField,
  FIELDS,
  type FieldErrors,
  NAMES,
  type Field as Name,
  ORDER,
  type Values,
} from './fields';
import { NotYou } from './NotYou';

type Props = {
  session: string;
  saved: BankFormContext;
  firm: string;
  clientName: string;
};

/** `why`: what the person reads. */
type Banks = { status: 'loading' } | { status: 'failed'; why: string } | { status: 'ready'; list: ListedBank[] };

const NO_BANKS: ListedBank[] = [];

/*
 * Three fields do not justify a form library (react-hook-form 14.5 kB gzip): each render derives the errors from the
 * values; state holds only the server's errors, and which fields show theirs.
 */

/** The bank and administrator form. Prerendered; it works once React has hydrated it. */
export function BankForm({ session, saved, firm, clientName }: Props): ReactNode {
  const page = usePage();
  const { bank: code, bankName, bankKey } = saved;
  const [values, setValues] = useState<Values>({
    bank: code,
    bankName,
    bankKey,
    ...eachField((field) => saved[field]),
  });
  // The prerendered form has no submit button: a native submit would put the CPF into the URL.
  const [live, setLive] = useState(false);
  const [banks, setBanks] = useState<Banks>({ status: 'loading' });
  /** The form was sent before there was a list of banks. */
  const [awaited, setAwaited] = useState(false);
  /** The fields that show their errors. */
  const [shown, setShown] = useState<readonly BankFormField[]>([]);
  const [refused, setRefused] = useState<FieldErrors>({});
  /** Matches of the text left in the bank field; undefined if it identifies one bank, or the field is empty. */
  const [unclear, setUnclear] = useState<number | undefined>();
  const [nameIsShort, setNameIsShort] = useState(false);
  const [sent, setSent] = useState(false);
  const [summary, setSummary] = useState('');
  const [busy, setBusy] = useState(false);
  const afterPress = useAfterPress();
  const id = useId();
  const list = banks.status === 'ready' ? banks.list : NO_BANKS;
  /** Undefined before there is a list, and if it no longer has the saved bank. */
  const bank = savedBank(list, values);
  const filled: Values = { ...values, ...valuesOf(bank) };
  const errors: FieldErrors = { ...refused, ...checkFields(filled) };

  const isFixed = (field: Name) => saved.fixed.includes(field);
  /** Once for all, if all are read-only. */
  const lockedHint = (field: Name) => {
    if (!NAMES.every(isFixed)) return isFixed(field) ? words.locked(firm) : undefined;
    return field === NAMES[0] ? words.allLocked(firm) : undefined;
  };
  const idOf = (field: BankFormField) => `${id}-${field}`;

  async function load(): Promise<void> {
    setBanks({ status: 'loading' });
    const answer = await page.post('list_banks', { session });
    if (!answer.ok && !page.handleFailure(answer.failure)) return;
    setAwaited(false);
    if (!answer.ok) return setBanks({ status: 'failed', why: words.banksFailed });
    if (answer.data.banks.length === 0) return setBanks({ status: 'failed', why: words.banksEmpty(firm) });
    setBanks({ status: 'ready', list: bankList(answer.data.banks) });
  }

  useStays(() => setBusy(false));

  // Once per visit: the list does not change with anything on this screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    setLive(true);
    void load();
  }, []);

  function edit(field: BankFormField, change: Partial<Values>): void {
    const edited = { ...values, ...change };
    setValues(edited);
    page.keep('form', session, { ...edited, ...eachField((name, { isKept }) => (isKept ? edited[name] : undefined)) });
    if (field === 'bank') setUnclear(undefined);
    if (!isOneWord(edited.name)) setNameIsShort(false);
    setRefused(({ [field]: _edited, ...others }) => others);
    setSummary('');
    page.withdrawWayOn();
  }

  /** Shows the error of a field on blur, unless it is empty: those show theirs after the first submit. */
  function leave(field: BankFormField): void {
    afterPress(() => {
      if (field === 'name') setNameIsShort(isOneWord(values.name));
      if (filled[field] !== '') setShown((before) => (before.includes(field) ? before : [...before, field]));
    });
  }

  function leaveBank(means: number | undefined): void {
    afterPress(() => setUnclear(means));
    leave('bank');
  }

  function showAll(all: FieldErrors): void {
    const hasList = banks.status === 'ready';
    setAwaited(!hasList);
    // No choice can be missed where there is none.
    setShown(ORDER.filter((field) => hasList || field !== 'bank'));
    const bad = ORDER.filter((field) => all[field] !== undefined);
    if (bad[0] === undefined) return;
    const count = hasList ? bad.length : bad.length - 1;
    setSummary(count > 0 ? words.summary(count) : '');
    document.getElementById(idOf(bad[0]))?.focus();
  }

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setSent(true);
    showAll(errors);
    if (Object.keys(errors).length > 0) return;
    setBusy(true);
    const answer = await page.post('save_bank_form', { session, ...filled });
    if (answer.ok) {
      page.keep('form', session, undefined);
      page.replace(answer.data.to);
      return;
    }
    const { failure } = answer;
    if (failure.kind === 'invalid') {
      const invalid = Object.fromEntries(failure.fields.map(({ field, code }) => [field, code]));
      setRefused(invalid);
      showAll(invalid);
    } else if (!page.handleFailure(failure)) return;
    setBusy(false);
  }

  function errorOf(field: BankFormField): string | undefined {
    if (field === 'bank' && awaited) return banks.status === 'failed' ? banks.why : words.bankWait;
    if (field === 'bank' && unclear !== undefined && !sent) return unclear === 0 ? words.banksNone : words.bankUnclear;
    const code = errors[field];
    if (code === undefined || !shown.includes(field)) return undefined;
    if (field !== 'bank') return FIELDS[field].errors[code];
    return code === 'required' ? words.bankRequired : words.bankInvalid;
  }

  function doubt(): string {
    if (live && saved.clientIsCompany && isSameName(values.name, clientName)) return words.nameOfCompany;
    return nameIsShort ? words.nameOneWord : '';
  }

  return (
    <section className="step">
      <div className="step__head">
        <a className="step__back" href={ACCOUNTS}>
          {words.back}
        </a>
        <Progress at="bank" />
        <h1 className="step__title" tabIndex={-1} aria-describedby={PROGRESS_ID}>
          {words.title}
        </h1>
      </div>
      <form className="step__form" noValidate onSubmit={submit}>
        <Field
          id={idOf('bank')}
          label={words.bank}
          hint={banks.status === 'failed' && !awaited ? banks.why : (bank?.fullName ?? words.bankHint)}
          error={errorOf('bank')}
        >
          {(links) => (
            <BankPicker
              links={links}
              list={list}
              chosen={bank}
              onChange={(chosen) => edit('bank', valuesOf(chosen))}
              onType={() => setUnclear(undefined)}
              onLeave={leaveBank}
              status={banks.status}
              retry={() => void load()}
            />
          )}
        </Field>
        <Slow busy={banks.status === 'loading'} />
        <p className="visually-hidden" role="alert">
          {banks.status === 'failed' && banks.why}
        </p>
        <div className="notice">
          <div>
            <p>
              {words.note} <strong>{words.noteStrong}</strong>
            </p>
            <NotYou firm={firm} />
          </div>
        </div>
        {NAMES.map((field) => (
          <TextField
            key={field}
            field={field}
            id={idOf(field)}
            hint={lockedHint(field)}
            warning={field === 'name' && !isFixed(field) ? doubt() : undefined}
            error={errorOf(field)}
            value={values[field]}
            readOnly={isFixed(field)}
            onChange={(text) => edit(field, { [field]: text })}
            onBlur={() => leave(field)}
          />
        ))}
        <p className="visually-hidden" role="status">
          {summary}
        </p>
        {saved.bankIsAskedAgain && <p>{words.bankAgain}</p>}
        <div className="actions">
          <Button kind="primary" type={live ? 'submit' : 'button'} busy={busy}>
            {words.submit}
          </Button>
        </div>
        <Slow busy={busy} />
      </form>
    </section>
  );
}

function valuesOf(bank: ListedBank | undefined): Pick<Values, 'bank' | 'bankName' | 'bankKey'> {
  if (bank === undefined) return { bank: '', bankName: '', bankKey: '' };
  return { bank: bank.code, bankName: bank.label, bankKey: shortKey(bank) };
}

/** Banks know people by several names, so one alone is hardly complete. */
function isOneWord(name: string): boolean {
  return /^\S+$/.test(name.trim());
}

/** Whether two names differ at most in case, accents, punctuation and spaces. */
function isSameName(one: string, other: string): boolean {
  return fold(one) !== '' && fold(one) === fold(other);
}
