import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { operateConsent } from '../page/consent';
import { consentScreens } from '../prerender';
import {
  answerActions,
  CONTEXT,
  deferred,
  mountIsland,
  putContext,
  putHost,
  renderTemplate,
  toasts,
  watchLocation,
} from '../testing/page';
import { Consent } from './Consent';
import { mount } from './index';

const button = () => screen.getByRole('button', { name: 'Autorizar integrações bancárias' });
const box = () => screen.getByRole('checkbox');

function served(): string {
  const { session, customerName, clientName } = CONTEXT;
  return renderTemplate(consentScreens().individual, {
    session,
    text: '1f2e3d4c',
    customerName,
    clientName,
    clientDocument: 'CPF ***.982.247-**',
  });
}

afterEach(() => {
  vi.useRealTimers();
  document.body.innerHTML = '';
});

const HINT = 'Marque a caixa para continuar';
const ACCEPTED = { body: { to: '/integration/accounts' } };

test('the screen names the firm, the data, what for and how long, and that access is read-only', () => {
  const texts = { session: 's', text: '1f2e3d4c', customerName: 'Firma', clientName: 'Ana', clientDocument: '***' };
  render(<Consent {...texts} purpose="isso." />);
  const heading = screen.getByRole('heading', { level: 1 });
  expect(heading).toHaveTextContent(/^Firma pede acesso/);
  expect(heading).toHaveAccessibleDescription('Passo 1 de 5');
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Instituição financeira',
    'Agência',
    'Conta corrente',
    'Extrato: datas, valores e descrições',
  ]);
  for (const text of [
    'Somente leitura. O escritório não movimenta o seu dinheiro nem vê a sua senha.',
    'Finalidade: isso. Prazo: indeterminado, até você cancelar.',
    'Autorizo Firma a ler estes dados pelo Open Finance.',
    'Não é você? Não autorize.',
  ]) {
    expect(document.body).toHaveTextContent(text);
  }
});

// The page's script alone operates the form; React must neither be needed for it nor undo it.
describe.each([
  ['before React', async (_host: HTMLElement) => {}],
  ['with React', (host: HTMLElement) => mountIsland(mount, host)],
])('the form %s', (_when, hydrate) => {
  beforeEach(() => putContext());

  async function show(answers: Parameters<typeof answerActions>[0] = {}) {
    const calls = answerActions(answers);
    const host = putHost(served());
    operateConsent();
    await hydrate(host);
    return calls;
  }

  test('the box is not ticked, the button is disabled and says why; ticking enables, unticking disables', async () => {
    await show();
    expect(box()).not.toBeChecked();
    expect(button()).toHaveAttribute('aria-disabled', 'true');
    for (const element of [box(), button()]) expect(element).toHaveAccessibleDescription(HINT);
    await userEvent.click(box());
    expect(button()).not.toHaveAttribute('aria-disabled');
    expect(screen.getByText(HINT)).not.toBeVisible();
    // A hidden text is still a description, so nothing may refer to it.
    for (const element of [box(), button()]) expect(element).not.toHaveAttribute('aria-describedby');
    await userEvent.click(box());
    expect(button()).toHaveAttribute('aria-disabled', 'true');
    for (const element of [box(), button()]) expect(element).toHaveAccessibleDescription(HINT);
  });

  test('pressed without the tick it sends nothing, and the focus goes to the box, which says why', async () => {
    const calls = await show();
    expect(box()).not.toHaveAttribute('aria-invalid');
    act(() => button().focus());
    await userEvent.keyboard('{Enter}');
    expect(box()).toHaveFocus();
    expect(box()).toHaveAccessibleDescription(HINT);
    expect(box()).toHaveAttribute('aria-invalid', 'true');
    expect(button().closest('form')).toHaveAttribute('data-refused');
    expect(calls).toEqual([]);
    await userEvent.click(box());
    expect(box()).not.toHaveAttribute('aria-invalid');
  });

  test('sends once which text was shown, is busy, keeps the focus, and goes on', async () => {
    const { replace } = watchLocation();
    const answer = deferred<typeof ACCEPTED>();
    const calls = await show({ accept_consent: [answer.promise] });
    await userEvent.click(box());
    await userEvent.dblClick(button());
    await userEvent.keyboard('{Enter}');
    expect(calls).toMatchObject([{ action: 'accept_consent', input: { session: 's-1', text: '1f2e3d4c' } }]);
    expect(button()).toHaveAttribute('aria-busy', 'true');
    expect(button()).toHaveAttribute('aria-disabled', 'true');
    expect(button()).toHaveFocus();
    await act(async () => answer.settle(ACCEPTED));
    await vi.waitFor(() => expect(replace).toHaveBeenCalledExactlyOnceWith('/integration/accounts'));
    expect(button()).toHaveAttribute('aria-busy', 'true');
  });

  test('a failure that stays toasts and gives the button back, the box ticked', async () => {
    const { replace } = watchLocation();
    const calls = await show({ accept_consent: ['offline'] });
    await userEvent.click(box());
    await userEvent.click(button());
    await vi.waitFor(() => expect(toasts()).toEqual(['Houve falha na requisição.']));
    expect(button()).not.toHaveAttribute('aria-busy');
    expect(button()).not.toHaveAttribute('aria-disabled');
    expect(box()).toBeChecked();
    expect(replace).not.toHaveBeenCalled();
    await userEvent.click(button());
    expect(calls).toHaveLength(2);
  });

  test('a page that stays after it was left gives the button back', async () => {
    await show({ accept_consent: [deferred<never>().promise] });
    await userEvent.click(box());
    await userEvent.click(button());
    act(() => void window.dispatchEvent(new Event('vincula-stays')));
    expect(button()).not.toHaveAttribute('aria-busy');
  });
});

describe('the island', () => {
  beforeEach(() => putContext());

  test('the prerendered screen posts by itself: form, names, values, and a button that needs no script', () => {
    const host = putHost(served());
    const form = host.querySelector('form');
    expect(form).toHaveAttribute('method', 'post');
    expect(form).toHaveAttribute('action', '/integration/widget');
    expect(form?.querySelector('[name=session]')).toHaveValue('s-1');
    expect(form?.querySelector('[name=text]')).toHaveValue('1f2e3d4c');
    expect(box()).toHaveAttribute('name', 'consent');
    expect(box()).toHaveAttribute('value', 'yes');
    expect(box()).not.toHaveAttribute('checked');
    // Without a script the browser refuses, and the button looks as if it could be pressed.
    expect(box()).toBeRequired();
    expect(form).not.toHaveAttribute('novalidate');
    expect(button()).not.toHaveAttribute('aria-disabled');
    expect(host.innerHTML).not.toMatch(/\{\{|UNKNOWN|style=/);
  });

  test('hydration keeps every node, without errors from React', async () => {
    const calls = answerActions({});
    const host = putHost(served());
    const before = [...host.querySelectorAll('*')];
    await mountIsland(mount, host);
    expect([...host.querySelectorAll('*')]).toEqual(before);
    expect(before.every((node) => node.isConnected)).toBe(true);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Contábil "Horizonte" & Filhos');
    expect(host).toHaveTextContent('Padaria Pão & Cia <Ltda> CPF ***.982.247-**');
    expect(host).toHaveTextContent('Finalidade: sua contabilidade.');
    expect(calls).toEqual([]);
  });

  test('a box that was ticked before hydration stays ticked and the button is enabled', async () => {
    const host = putHost(served());
    operateConsent();
    await userEvent.click(box());
    await mountIsland(mount, host);
    expect(box()).toBeChecked();
    expect(button()).not.toHaveAttribute('aria-disabled');
  });

  test.each([
    ['begins after', 0],
    ['begins before', 1],
    ['is explained before', 8001],
  ])('a long wait that %s hydration is explained', async (_how, before) => {
    vi.useFakeTimers();
    const calls = answerActions({ accept_consent: [deferred<never>().promise] });
    const host = putHost(served());
    operateConsent();
    if (before === 0) await mountIsland(mount, host);
    fireEvent.click(box());
    fireEvent.click(button());
    vi.advanceTimersByTime(before);
    if (before > 0) await mountIsland(mount, host);
    vi.advanceTimersByTime(Math.max(7999 - before, 0));
    if (before < 8000) expect(screen.queryByText(/Está demorando/)).not.toBeInTheDocument();
    vi.advanceTimersByTime(1);
    expect(screen.getByText('Está demorando mais que o normal…')).toHaveRole('status');
    expect(calls.map(({ action }) => action)).toEqual(['accept_consent']);
  });
});
