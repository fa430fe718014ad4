import { type ReactNode, type SubmitEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { ACCOUNTS } from '../generated/routes';
import type { BankFormContext, BankFormField, BankOption } from '../generated/types';
import { fieldErrors, bankForm as words } from '../messages';
import { Button } from '../ui/Button';
import { Slow } from '../ui/Loading';
import { PROGRESS_ID, Progress } from '../ui/Progress';
import { useStays } from '../ui/use-stays';
import { useAfterPress } from './after-press';
import { BankCombobox } from './BankCombobox';
import { bankList, savedBank } from './bank-list';
import { CpfInput } from './CpfInput';
import { Field } from './Field';
import { NotYou } from './NotYou';
import { checkFields, FIELD_ORDER, type FieldErrors, type Fields, isOneWord, isSameName } from './rules';

/** The result of saving the form; `errors` are the server's. */
export type Saved = { status: 'leaves' } | { status: 'stays'; errors: FieldErrors };

/** The result of loading the banks; a failure has been handled already. */
export type Loaded = { status: 'ready'; banks: readonly BankOption[] } | { status: 'failed' } | { status: 'leaves' };

/** What was entered, but for the CPF. */
export type Draft = Pick<BankFormContext, 'bank' | 'bankName' | 'name'>;

type Props = {
  /** Initial values, and which of them are read-only. */
  saved: BankFormContext;
  /** The accounting firm. */
  firm: string;
  clientName: string;
  loadBanks: () => Promise<Loaded>;
  /** `bankName`: as the form shows it. */
  save: (fields: Fields, bankName: string) => Promise<Saved>;
  /** Called with every change. */
  keepDraft: (draft: Draft) => void;
};

/** `why`: what the person reads. */
type Banks =
  | { status: 'loading' }
  | { status: 'failed'; why: string }
  | { status: 'ready'; list: readonly BankOption[] };

const NO_BANKS: readonly BankOption[] = [];

/*
 * Three fields do not justify a form library (react-hook-form 14.5 kB gzip): each render derives the errors from the
 * fields; state holds only the server's errors, and which fields show theirs.
 */

/** The bank and administrator form (spec §2 and §5). Prerendered; it works once React has hydrated it. */
export function BankForm({ saved, firm, clientName, loadBanks, save, keepDraft }: Props): ReactNode {
  /** `bank` is the key of a row of the list, and empty before there is one. */
  const [fields, setFields] = useState<Fields>({ bank: '', name: saved.name, cpf: saved.cpf });
  // The prerendered form has no submit button: a native submit would put the CPF into the URL.
  const [live, setLive] = useState(false);
  const [banks, setBanks] = useState<Banks>({ status: 'loading' });
  /** The form was sent before there was a list of banks. */
  const [awaited, setAwaited] = useState(false);
  const [shown, setShown] = useState<readonly BankFormField[]>([]);
  const [refused, setRefused] = useState<FieldErrors>({});
  /** Matches of the text left in the bank field; undefined if it identifies one bank, or the field is empty. */
  const [unclear, setUnclear] = useState<number | undefined>();
  /** The name was left with a single word in it. */
  const [nameIsShort, setNameIsShort] = useState(false);
  const [sent, setSent] = useState(false);
  const [summary, setSummary] = useState('');
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  const inputs = {
    bank: useRef<HTMLInputElement>(null),
    name: useRef<HTMLInputElement>(null),
    cpf: useRef<HTMLInputElement>(null),
  };
  const afterPress = useAfterPress();
  const id = useId();
  const options = banks.status === 'ready' ? banks.list : NO_BANKS;
  const list = useMemo(() => bankList(options), [options]);
  const rowOf = (key: string) => [...list.mostUsed, ...list.others].find((bank) => bank.key === key);
  const errors: FieldErrors = { ...refused, ...checkFields(fields) };
  const isCompany = live && saved.clientIsCompany && isSameName(fields.name, clientName);

  async function load(): Promise<void> {
    setBanks({ status: 'loading' });
    const loaded = await loadBanks();
    if (loaded.status === 'leaves') return;
    setAwaited(false);
    if (loaded.status === 'failed') return setBanks({ status: 'failed', why: words.banksFailed });
    if (loaded.banks.length === 0) return setBanks({ status: 'failed', why: words.banksEmpty(firm) });
    setBanks({ status: 'ready', list: loaded.banks });
    // A saved bank that is no longer on the list counts as none.
    const bank = savedBank(bankList(loaded.banks), saved.bank, saved.bankName)?.key ?? '';
    setFields((before) => ({ ...before, bank }));
  }

  function release(): void {
    sending.current = false;
    setBusy(false);
  }
  useStays(release);

  // Once per visit: the list does not change with anything on this screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    setLive(true);
    void load();
  }, []);

  function edit(field: BankFormField, text: string): void {
    setFields((before) => ({ ...before, [field]: text }));
    draft({ ...fields, [field]: text });
    if (field === 'bank') setUnclear(undefined);
    if (field === 'name' && !isOneWord(text)) setNameIsShort(false);
    setRefused(({ [field]: _edited, ...others }) => others);
    setSummary('');
  }

  function draft({ bank, name }: Fields): void {
    const row = rowOf(bank);
    // Until there is a list the saved bank is still the one.
    if (banks.status !== 'ready') keepDraft({ bank: saved.bank, bankName: saved.bankName, name });
    else keepDraft({ bank: row?.code ?? '', bankName: row?.label ?? '', name });
  }

  /** Shows the error of a field on blur, unless it is empty: those show theirs after the first submit. */
  function blur(field: BankFormField): void {
    if (fields[field] === '') return;
    afterPress(() => setShown((before) => (before.includes(field) ? before : [...before, field])));
  }

  function leaveBank(means: number | undefined): void {
    afterPress(() => setUnclear(means));
    blur('bank');
  }

  function leaveName(): void {
    afterPress(() => setNameIsShort(isOneWord(fields.name)));
    blur('name');
  }

  function showAll(all: FieldErrors): void {
    const hasList = banks.status === 'ready';
    setAwaited(!hasList);
    // No choice can be missed where there is none.
    setShown(FIELD_ORDER.filter((field) => hasList || field !== 'bank'));
    const bad = FIELD_ORDER.filter((field) => all[field] !== undefined);
    if (bad[0] === undefined) return;
    const count = hasList ? bad.length : bad.length - 1;
    setSummary(count > 0 ? words.summary(count) : '');
    inputs[bad[0]].current?.focus();
  }

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (sending.current) return;
    setSent(true);
    showAll(errors);
    const bank = rowOf(fields.bank);
    if (bank === undefined || Object.keys(errors).length > 0) return;
    sending.current = true;
    setBusy(true);
    const result = await save({ ...fields, bank: bank.code }, bank.label);
    if (result.status === 'leaves') return;
    release();
    setRefused(result.errors);
    if (Object.keys(result.errors).length > 0) showAll(result.errors);
  }

  function errorOf(field: BankFormField): string | undefined {
    if (field === 'bank' && awaited) return banks.status === 'failed' ? banks.why : words.bankWait;
    if (field === 'bank' && unclear !== undefined && !sent) return unclear === 0 ? words.banksNone : words.bankUnclear;
    const code = errors[field];
    return code !== undefined && shown.includes(field) ? fieldErrors[field][code] : undefined;
  }

  const doubt = isCompany ? words.nameOfCompany : nameIsShort ? words.nameOneWord : '';
  return (
    <section className="step" data-prerendered="">
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
          id={`${id}-bank`}
          label={words.bank}
          hint={banks.status === 'failed' && !awaited ? banks.why : words.bankHint}
          error={errorOf('bank')}
        >
          {(links) => (
            <BankCombobox
              inputId={links.id}
              inputRef={inputs.bank}
              list={list}
              value={fields.bank}
              onChange={(bank) => edit('bank', bank?.key ?? '')}
              onType={() => setUnclear(undefined)}
              onLeave={leaveBank}
              waiting={banks.status !== 'ready'}
              retry={banks.status === 'failed' ? () => void load() : undefined}
              placeholder={words.bankPlaceholders[banks.status]}
              invalid={links.invalid}
              describedBy={links.describedBy}
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
        <Field
          id={`${id}-name`}
          label={words.name}
          hint={saved.nameIsFixed ? words.locked(firm) : undefined}
          warning={saved.nameIsFixed ? undefined : doubt}
          error={errorOf('name')}
        >
          {(links) => (
            <input
              ref={inputs.name}
              id={links.id}
              className="field__input"
              type="text"
              name="name"
              autoComplete="name"
              autoCapitalize="words"
              spellCheck={false}
              required
              readOnly={saved.nameIsFixed}
              aria-invalid={links.invalid || undefined}
              aria-describedby={links.describedBy}
              data-invalid={links.invalid || undefined}
              value={fields.name}
              onChange={(event) => edit('name', event.target.value)}
              onBlur={leaveName}
            />
          )}
        </Field>
        <Field
          id={`${id}-cpf`}
          label={words.cpf}
          hint={saved.cpfIsFixed ? words.locked(firm) : undefined}
          error={errorOf('cpf')}
        >
          {(links) => (
            <CpfInput
              {...links}
              inputRef={inputs.cpf}
              value={fields.cpf}
              onChange={(masked) => edit('cpf', masked)}
              onBlur={() => blur('cpf')}
              readOnly={saved.cpfIsFixed}
            />
          )}
        </Field>
        <p className="visually-hidden" role="status">
          {summary}
        </p>
        <p className="step__next">
          {words.next} {saved.bankIsAskedAgain && <strong>{words.bankAgain}</strong>}
        </p>
        <div className="actions">
          <Button kind="primary" submit={live} busy={busy}>
            {words.submit}
          </Button>
        </div>
        <Slow busy={busy} />
      </form>
    </section>
  );
}
