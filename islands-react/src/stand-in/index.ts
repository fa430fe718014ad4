/** The stand-in for Pluggy Connect in the embedded sandbox: one page, the SDK's real protocol, no bank. */
import { standIn as words } from '../messages';
import { connectToHost, type Host } from './host';
import { connectItem, failedItem, type Item, masked, nameOfConnector } from './items';

const page = document.getElementById('stand-in');
if (page) start(page);

function start(main: HTMLElement): void {
  const host = connectToHost();
  const mark = element('p', 'stand-in__mark', words.mark);
  if (host === undefined) {
    main.append(mark, element('p', 'stand-in__text', words.orphan));
    return;
  }
  document.documentElement.dataset.theme = host.theme;
  const status = element('p', 'stand-in__status');
  status.setAttribute('role', 'status');
  const card = element('div', 'stand-in__card');
  card.append(element('h1', 'stand-in__title', words.title), facts(host), choices(host, status), status);
  main.append(mark, card);
  // The host gets no key events of this frame, so forward Escape.
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') host.close();
  });
}

function facts(host: Host): HTMLElement {
  const list = element('dl', 'stand-in__facts');
  const rows: [string, string, string][] = [
    ['bank', words.bank, host.selectedConnectorId === null ? words.none : String(host.selectedConnectorId)],
    ['types', words.types, host.connectorTypes.join(', ') || words.all],
    ['cpf', words.cpf, host.cpf === null ? words.none : masked(host.cpf)],
    ['cnpj', words.cnpj, host.cnpj === null ? words.none : masked(host.cnpj)],
    ['update-item', words.update, host.updateItem ?? words.none],
    ['include-sandbox', words.sandbox, host.includeSandbox ? words.yes : words.no],
  ];
  for (const [name, label, value] of rows) {
    const shown = element('dd', 'stand-in__value', value);
    shown.dataset.fact = name;
    list.append(element('dt', 'stand-in__label', label), shown);
  }
  void nameChosenBank(host, list);
  return list;
}

/** Replaces the id of the chosen connector by its bank's name. */
async function nameChosenBank({ selectedConnectorId: id }: Host, list: HTMLElement): Promise<void> {
  const name = id === null ? undefined : await nameOfConnector(id);
  const shown = list.querySelector('[data-fact="bank"]');
  if (name !== undefined && shown !== null) shown.textContent = name;
}

function choices(host: Host, status: HTMLElement): HTMLElement {
  const box = element('div', 'stand-in__choices');
  const event = (name: string, more: object = {}): void =>
    host.call('onEventProp', { event: name, timestamp: Date.now(), ...more });

  /** Up to the login as Connect tells it: the consent once, then the choice of a bank unless it is chosen already. */
  let hasBegun = false;
  function logIn(): void {
    if (!hasBegun) event('SUBMITTED_CONSENT');
    if (!hasBegun && host.selectedConnectorId === null && host.updateItem === null)
      event('SELECTED_INSTITUTION', { connector: null });
    hasBegun = true;
    event('SUBMITTED_LOGIN');
  }

  /** Logs in and connects an item; the button is disabled meanwhile. */
  async function connect(button: HTMLButtonElement, awaitsApproval: boolean): Promise<Item | undefined> {
    button.disabled = true;
    status.textContent = words.working;
    logIn();
    const item = await connectItem(host, awaitsApproval);
    if (item === undefined) status.textContent = words.unavailable;
    button.disabled = false;
    return item;
  }

  async function succeed(button: HTMLButtonElement): Promise<void> {
    const item = await connect(button, false);
    if (item === undefined) return;
    status.textContent = words.succeeded;
    event('LOGIN_SUCCESS', { item });
    event('ITEM_RESPONSE', { item });
    host.call('onSuccessProp', { item });
  }

  function refuse(): void {
    status.textContent = words.refused;
    logIn();
    const item = failedItem('LOGIN_ERROR', 'INVALID_CREDENTIALS', words.refused);
    host.call('onErrorProp', { message: words.refused, data: { item } });
  }

  async function wait(button: HTMLButtonElement): Promise<void> {
    const connected = await connect(button, true);
    if (connected === undefined) return;
    status.textContent = words.waiting;
    const item = { ...failedItem('OUTDATED', 'USER_AUTHORIZATION_PENDING', words.waiting), ...connected };
    event('LOGIN_SUCCESS', { item });
    host.call('onErrorProp', { message: 'USER_AUTHORIZATION_PENDING', data: { item } });
  }

  box.append(
    choice(words.succeed, 'primary', (button) => void succeed(button)),
    choice(words.refuse, 'plain', refuse),
    choice(words.pending, 'plain', (button) => void wait(button)),
    choice(words.close, 'quiet', () => host.close()),
  );
  return box;
}

function choice(label: string, kind: string, act: (button: HTMLButtonElement) => void): HTMLButtonElement {
  const button = element('button', 'stand-in__choice', label);
  button.type = 'button';
  button.dataset.kind = kind;
  button.addEventListener('click', () => act(button));
  return button;
}

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  text = '',
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}
