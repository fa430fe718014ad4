/** Type guards for data from the server: they narrow unknown values to generated types. */
import type {
  BankFormContext,
  BankFormField,
  BankOption,
  Banks,
  ConnectorType,
  ConnectStart,
  Context,
  Done,
  FieldError,
  FieldErrorCode,
  Next,
  Reaction,
  WidgetType,
} from './generated/types';

/** Every member of a union: the compiler reports a missing one. */
type Every<T extends string> = Readonly<Record<T, true>>;

/** In the order of the screen. */
export const BANK_FORM_FIELDS: Every<BankFormField> = { bank: true, name: true, cpf: true };
const FIELD_ERROR_CODES: Every<FieldErrorCode> = { required: true, invalid: true };
const CONNECTOR_TYPES: Every<ConnectorType> = { PERSONAL_BANK: true, BUSINESS_BANK: true };
const WIDGET_TYPES: Every<WidgetType> = { new: true, update: true, cancel: true };

export type Guard<T> = (value: unknown) => value is T;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isContext(value: unknown): value is Context {
  return (
    isRecord(value) &&
    hasTexts(value, ['session', 'clientName', 'customerName']) &&
    isOneOf(value.widgetType, WIDGET_TYPES) &&
    typeof value.isSuccess === 'boolean' &&
    (isAbsent(value.bankForm) || isBankFormContext(value.bankForm))
  );
}

export function isNext(value: unknown): value is Next {
  return isRecord(value) && typeof value.to === 'string';
}

export function isBanks(value: unknown): value is Banks {
  return isRecord(value) && Array.isArray(value.banks) && value.banks.every(isBankOption);
}

export function isConnectStart(value: unknown): value is ConnectStart {
  return (
    isRecord(value) &&
    hasTexts(value, ['connectToken', 'url']) &&
    typeof value.includeSandbox === 'boolean' &&
    [value.updateItem, value.cpf, value.cnpj].every((text) => isAbsent(text) || typeof text === 'string') &&
    (isAbsent(value.selectedConnectorId) || typeof value.selectedConnectorId === 'number') &&
    (isAbsent(value.connectorType) || isOneOf(value.connectorType, CONNECTOR_TYPES)) &&
    Array.isArray(value.products) &&
    value.products.every((product) => typeof product === 'string')
  );
}

export function isDone(value: unknown): value is Done {
  return isRecord(value);
}

export function isReaction(value: unknown): value is Reaction {
  if (!isRecord(value)) return false;
  switch (value.kind) {
    case 'no_reply':
    case 'other_tab':
      return true;
    case 'navigate':
      return typeof value.to === 'string';
    case 'invalid':
      return Array.isArray(value.fields) && value.fields.every(isFieldError);
    default:
      return false;
  }
}

function isBankFormContext(value: unknown): value is BankFormContext {
  return (
    isRecord(value) &&
    hasTexts(value, ['bank', 'bankName', 'name', 'cpf']) &&
    typeof value.clientIsCompany === 'boolean' &&
    typeof value.nameIsFixed === 'boolean' &&
    typeof value.cpfIsFixed === 'boolean' &&
    typeof value.bankIsAskedAgain === 'boolean'
  );
}

function isBankOption(value: unknown): value is BankOption {
  return isRecord(value) && hasTexts(value, ['code', 'name']);
}

function isFieldError(value: unknown): value is FieldError {
  return isRecord(value) && isOneOf(value.field, BANK_FORM_FIELDS) && isOneOf(value.code, FIELD_ERROR_CODES);
}

function hasTexts(value: Record<string, unknown>, names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === 'string');
}

function isOneOf(value: unknown, members: Every<string>): boolean {
  return typeof value === 'string' && Object.hasOwn(members, value);
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
