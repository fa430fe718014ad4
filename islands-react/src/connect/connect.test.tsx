import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { ConnectStart } from '../generated/types';
import { type Answer, answerActions, deferred, toasts, watchLocation } from '../testing/page';
import { Connect } from './Connect';
import { openPluggy, type PluggyEvent } from './pluggy';

vi.mock('./pluggy');

const START: ConnectStart = {
  connectToken: 'token-1',
  updateItem: null,
  includeSandbox: true,
  products: ['ACCOUNTS', 'TRANSACTIONS'],
  url: '/sandbox/connect',
  cpf: null,
  cnpj: null,
  selectedConnectorId: null,
  connectorType: null,
};
const started: Answer = { body: START };
const noReply = 'offline';
const success: Answer = { body: { to: '/integration/success' } };

afterEach(() => {
  document.body.innerHTML = '';
});

type Given = {
  /** The answers for connect tokens and for items, in turn; the last one repeats. */
  open?: Answer[];
  finish?: Answer[];
  isUpdate?: boolean;
};

async function show({ open = [started], finish = [success], isUpdate = false }: Given = {}) {
  const { replace } = watchLocation();
  const calls = answerActions({ open_connect: open, finish_connect: finish });
  const close = vi.fn();
  const emitters: ((event: PluggyEvent) => void)[] = [];
  const opened = vi.mocked(openPluggy).mockClear();
  opened.mockImplementation((_frame, _start, emit) => {
    emitters.push(emit);
    return close;
  });
  const view = await act(async () =>
    render(<Connect session="s-1" firm="Contábil Horizonte" bank="Nubank" isUpdate={isUpdate} />),
  );
  const emit = (event: PluggyEvent, attempt = emitters.length) => act(async () => emitters[attempt - 1]?.(event));
  const inputs = (action: string) => calls.filter((call) => call.action === action).map(({ input }) => input);
  return { ...view, calls, inputs, replace, opened, close, emit };
}

test('a spinner, then the widget in a modal dialog', async () => {
  const showModal = vi.spyOn(HTMLDialogElement.prototype, 'showModal');
  const { opened } = await show();
  expect(opened).toHaveBeenCalledOnce();
  const dialog = screen.getByRole('dialog', { name: 'Conexão com o banco' });
  expect(opened.mock.calls[0]?.[0]).toBe(dialog.querySelector('.connect__frame'));
  expect(showModal.mock.contexts).toEqual([dialog]);
  expect(dialog).toHaveFocus();
});

test('toasts are inside the modal dialog while it is open, since all else is inert, and outlive it', async () => {
  const { emit } = await show();
  window.vincula.toast('error', 'x');
  expect(screen.getByRole('dialog')).toContainElement(document.querySelector<HTMLElement>('.toast'));
  await emit({ type: 'closed' });
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(toasts()).toEqual(['x']);
});

test('once the window is there, nothing under it is heard any more', async () => {
  vi.useFakeTimers();
  const { emit } = await show();
  const heard = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
  expect(heard()).toContain('Abrindo Nubank…');
  await emit({ type: 'opened' });
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(heard().filter(Boolean)).toEqual(['A janela do banco está aberta.']);
  vi.useRealTimers();
});

test('an update says who asks for it and why, before and beside the window', async () => {
  const token = deferred<{ body: unknown }>();
  await show({ open: [token.promise], isUpdate: true });
  const asks = 'Contábil Horizonte pediu para renovar a conexão com o seu banco.';
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(asks);
  expect(screen.getByText(/Os extratos já recebidos continuam com Contábil Horizonte\./)).toBeVisible();
  await act(async () => token.settle({ body: START }));
  expect(screen.getByRole('dialog')).toHaveTextContent(asks);
  expect(screen.getAllByRole('heading', { level: 1, hidden: true })).toHaveLength(1);
});

test('there is a way back while it opens', async () => {
  await show({ open: [new Promise(() => {})] });
  expect(screen.getByRole('link', { name: 'Voltar' })).toHaveAttribute('href', '/integration/accounts');
});

test('success takes the dialog away, reports to the server once and goes on', async () => {
  const finish = deferred<{ body: unknown }>();
  const { emit, inputs, replace, close } = await show({ finish: [finish.promise] });
  await emit({ type: 'opened' });
  await emit({ type: 'succeeded', itemId: 'item-1' });
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(close).toHaveBeenCalled();
  expect(replace).not.toHaveBeenCalled();
  await emit({ type: 'succeeded', itemId: 'item-2' });
  await emit({ type: 'closed' });
  await act(async () => finish.settle({ body: { to: '/integration/success' } }));
  expect(inputs('finish_connect')).toEqual([{ session: 's-1', itemId: 'item-1' }]);
  expect(replace.mock.calls).toEqual([['/integration/success']]);
});

test('closing without a success goes to the accounts, once; a success after it still counts', async () => {
  const { emit, replace, inputs } = await show();
  await emit({ type: 'closed' });
  await emit({ type: 'closed' });
  expect(replace.mock.calls).toEqual([['/integration/accounts']]);
  await emit({ type: 'succeeded', itemId: 'item-1' });
  expect(inputs('finish_connect')).toEqual([{ session: 's-1', itemId: 'item-1' }]);
  expect(replace).toHaveBeenLastCalledWith('/integration/success');
});

test.each(['button', 'Escape'])('the way out beside the frame: %s', async (way) => {
  const { close, replace } = await show();
  if (way === 'button') await userEvent.click(screen.getByRole('button', { name: 'Fechar' }));
  else await act(async () => fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true })));
  expect(close).toHaveBeenCalled();
  expect(replace).toHaveBeenCalledExactlyOnceWith('/integration/accounts');
});

test('steps inside the widget are counted, at most thirty of them, and change nothing', async () => {
  const { emit, calls, inputs } = await show();
  await emit({ type: 'opened' });
  for (let times = 0; times < 40; times += 1) await emit({ type: 'step', step: 'login', connector: 601 });
  expect(inputs('report_connect_step')).toHaveLength(30);
  expect(calls.at(-1)).toMatchObject({
    action: 'report_connect_step',
    input: { session: 's-1', step: 'login', connector: 601 },
    init: { keepalive: true },
  });
  expect(inputs('report_connect_error')).toEqual([]);
  expect(screen.getByRole('dialog')).toBeInTheDocument();
});

test('an error is reported, cut, and leaves the widget open', async () => {
  const { emit, inputs } = await show();
  await emit({ type: 'error', message: 'x'.repeat(900), itemId: 'item-1', pending: false });
  expect(inputs('report_connect_error')).toEqual([
    { session: 's-1', message: 'x'.repeat(500), itemId: 'item-1', pending: false },
  ]);
  await emit({ type: 'error', message: `refused: ${START.connectToken}`, itemId: null, pending: false });
  expect(inputs('report_connect_error').at(-1)).toEqual({
    session: 's-1',
    message: 'refused: …',
    itemId: null,
    pending: false,
  });
  expect(screen.getByRole('dialog')).toBeInTheDocument();
  expect(screen.queryByText(/Aguardando/)).not.toBeInTheDocument();
});

test('a waiting approval is reported and calmly said', async () => {
  const { emit, inputs } = await show();
  await emit({ type: 'error', message: 'USER_AUTHORIZATION_PENDING', itemId: null, pending: true });
  expect(inputs('report_connect_error')).toEqual([
    { session: 's-1', message: 'USER_AUTHORIZATION_PENDING', itemId: null, pending: true },
  ]);
  expect(screen.getByText('Aguardando a aprovação de outro responsável')).toBeVisible();
  expect(screen.getByText(/no menu Open Finance do aplicativo do banco, em até 15 dias\./)).toBeVisible();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  // Dismissed, it no longer covers the bank's window.
  await userEvent.click(screen.getByRole('button', { name: 'Entendi' }));
  expect(screen.queryByText('Aguardando a aprovação de outro responsável')).not.toBeInTheDocument();
  expect(screen.getByRole('dialog')).toBeInTheDocument();
});

test('a widget that does not open can be tried again with a new token', async () => {
  const { emit, opened } = await show({ open: [started, { body: { ...START, connectToken: 'token-2' } }] });
  await emit({ type: 'failed' });
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(screen.getByRole('link')).toHaveAttribute('href', '/integration/accounts');
  // Something may have been shared before.
  expect(screen.getByRole('alert')).not.toHaveTextContent('Nada foi compartilhado');
  await userEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }));
  const tokens = () => opened.mock.calls.map(([, start]) => start.connectToken);
  await vi.waitFor(() => expect(tokens()).toEqual(['token-1', 'token-2']));
  await emit({ type: 'closed' }, 1);
  expect(screen.getByRole('dialog')).toBeInTheDocument();
});

test('no connect token: toast, and another try', async () => {
  const { opened } = await show({ open: [noReply, started] });
  expect(toasts()).toEqual(['Houve falha na requisição.']);
  await userEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }));
  await vi.waitFor(() => expect(opened).toHaveBeenCalledOnce());
});

test('a refused connect token goes where the server says', async () => {
  const refusal = { status: 502, body: { kind: 'navigate', to: '/error/link-not-exists' } };
  const { opened, replace } = await show({ open: [refusal] });
  expect(replace).toHaveBeenCalledExactlyOnceWith('/error/link-not-exists');
  expect(opened).not.toHaveBeenCalled();
});

test('a session replaced in another tab stops here', async () => {
  const { container } = await show({ open: [{ status: 409, body: { kind: 'other_tab' } }] });
  expect(container).toHaveTextContent(/^Contábil HorizontePasso 4 de 5 · Entrar no bancoConexão com o banco$/);
});

test('an unconfirmed connection is toasted and confirmed again with the same item', async () => {
  const { emit, inputs, replace, opened } = await show({ finish: [noReply, success] });
  await emit({ type: 'succeeded', itemId: 'item-1' });
  expect(screen.getByText('Sua conta foi conectada, mas não conseguimos confirmar')).toBeVisible();
  expect(toasts()).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }));
  const item = { session: 's-1', itemId: 'item-1' };
  expect(inputs('finish_connect')).toEqual([item, item]);
  expect(replace).toHaveBeenCalledExactlyOnceWith('/integration/success');
  expect(opened).toHaveBeenCalledOnce();
});

test('unmounting closes the widget and the dialog, which gives the focus back', async () => {
  const closed = vi.spyOn(HTMLDialogElement.prototype, 'close');
  const { unmount, close } = await show();
  unmount();
  expect(close).toHaveBeenCalledOnce();
  expect(closed).toHaveBeenCalledOnce();
});

test('a waiting approval leads back to the accounts', async () => {
  const { emit, close, replace } = await show();
  await emit({ type: 'error', message: 'USER_AUTHORIZATION_PENDING', itemId: null, pending: true });
  await userEvent.click(screen.getByRole('button', { name: 'Voltar para as contas' }));
  expect(close).toHaveBeenCalled();
  expect(replace).toHaveBeenCalledExactlyOnceWith('/integration/accounts');
});

test('an item is kept before the server is asked, and delivered without the bank after a reload', async () => {
  const answer = deferred<never>();
  const { emit, unmount } = await show({ finish: [answer.promise] });
  await emit({ type: 'succeeded', itemId: 'item-1' });
  expect(window.vincula.undelivered('s-1')).toMatchObject({ itemId: 'item-1' });
  unmount();
  const after = await show();
  expect(after.opened).not.toHaveBeenCalled();
  expect(after.calls).toMatchObject([{ action: 'finish_connect', input: { session: 's-1', itemId: 'item-1' } }]);
  expect(after.replace).toHaveBeenCalledExactlyOnceWith('/integration/success');
});

test.each<[string, (shown: Awaited<ReturnType<typeof show>>) => Promise<void>]>([
  ['finished', ({ emit }) => emit({ type: 'succeeded', itemId: 'item-1' })],
  ['closed', ({ emit }) => emit({ type: 'closed' })],
])('a page that stays after it was left no longer turns: %s', async (_how, leave) => {
  const shown = await show();
  await leave(shown);
  expect(shown.container.querySelector('.spinner')).toBeInTheDocument();
  await act(async () => void window.dispatchEvent(new Event('vincula-stays')));
  expect(shown.container.querySelector('.spinner')).not.toBeInTheDocument();
});

test('a page that opens the bank does not mind that it stays', async () => {
  await show();
  await act(async () => void window.dispatchEvent(new Event('vincula-stays')));
  expect(screen.getByRole('dialog')).toBeInTheDocument();
});

test('unmounting before the token arrives opens nothing', async () => {
  const token = deferred<{ body: unknown }>();
  const { unmount, opened } = await show({ open: [token.promise] });
  unmount();
  await act(async () => token.settle({ body: START }));
  expect(opened).not.toHaveBeenCalled();
});
