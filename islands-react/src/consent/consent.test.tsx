import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { operateConsent } from '../page/consent';
import { consentScreens, consentTexts } from '../prerender';
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
import { mount } from './index';

const HINT = 'Marque a caixa para continuar';
const ACCEPTED = { body: { to: '/integration/accounts' } };

const button = () => screen.getByRole('button', { name: 'Autorizar integrações bancárias' });
const box = () => screen.getByRole('checkbox');

/** The screen as the server sends it, in its host. */
function serve(): HTMLElement {
  const { session, customerName, clientName } = CONTEXT;
  const texts = { session, text: '1f2e3d4c', customerName, clientName, clientDocument: 'CPF ***.982.247-**' };
  return putHost(renderTemplate(consentScreens().usual, texts));
}

beforeEach(() => putContext());

test('the screen names the firm, the data, what for and how long, and that access is read-only; React keeps all of it', async () => {
  const host = serve();
  const before = [...host.querySelectorAll('*')];
  await mountIsland(mount, host);
  expect([...host.querySelectorAll('*')]).toEqual(before);
  expect(before.every((node) => node.isConnected)).toBe(true);
  const heading = screen.getByRole('heading', { level: 1 });
  expect(heading).toHaveTextContent(/^Contábil "Horizonte" & Filhos pede acesso/);
  expect(heading).toHaveAccessibleDescription('Passo 1 de 5');
  const steps = within(screen.getByRole('list', { name: 'Passo 1 de 5' })).getAllByRole('listitem');
  expect(steps.map((step) => [step.textContent, step.getAttribute('aria-current')])).toEqual([
    ['1 Autorizar', 'step'],
    ['2 Banco', null],
    ['3 Administrador', null],
    ['4 Entrar no banco', null],
    ['5 Confirmar', null],
  ]);
  const data = screen.getByRole('heading', { name: 'Dados que serão compartilhados' }).parentElement as HTMLElement;
  expect(
    within(data)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['Instituição financeira', 'Número da agência', 'Número da conta corrente', 'Dados de extrato bancário']);
  for (const text of [
    'Padaria Pão & Cia <Ltda> CPF ***.982.247-**',
    'Somente leitura. O escritório não movimenta dinheiro nem vê senhas.',
    'Finalidade: contabilidade. Prazo: indeterminado, até você cancelar.',
    'Autorizo Contábil "Horizonte" & Filhos a ler estes dados pelo Open Finance.',
    'Não é você? Não autorize.',
  ]) {
    expect(host).toHaveTextContent(text);
  }
  expect(host.innerHTML).not.toMatch(/\{\{|UNKNOWN|style=/);
});

// The page's script alone operates the form; React must neither be needed for it nor undo it.
describe.each([
  ['before React', async (_host: HTMLElement) => {}],
  ['with React', (host: HTMLElement) => mountIsland(mount, host)],
])('the form %s', (_when, hydrate) => {
  async function show(answers: Parameters<typeof answerActions>[0] = {}) {
    const { replace } = watchLocation();
    // Without its timer, which would fire in a later test.
    vi.spyOn(window.vincula, 'replace').mockImplementation(replace);
    const calls = answerActions(answers);
    const host = serve();
    operateConsent();
    await hydrate(host);
    return { calls, replace };
  }

  test('the box is not ticked, the button is disabled and says why; ticking enables, unticking disables', async () => {
    await show();
    for (const ticked of [false, true, false]) {
      if (ticked || box().matches(':checked')) await userEvent.click(box());
      expect(button().hasAttribute('aria-disabled')).toBe(!ticked);
      // A hidden text is still a description, so nothing may refer to it.
      for (const element of [box(), button()]) expect(element.hasAttribute('aria-describedby')).toBe(!ticked);
      for (const element of [box(), button()]) expect(element).toHaveAccessibleDescription(ticked ? '' : HINT);
      expect(screen.getByText(HINT).hidden).toBe(ticked);
    }
  });

  test('pressed without the tick it sends nothing, and the focus goes to the box, which says why', async () => {
    const { calls } = await show();
    expect(box()).not.toHaveAttribute('aria-invalid');
    act(() => button().focus());
    await userEvent.keyboard('{Enter}');
    expect(box()).toHaveFocus();
    expect(box()).toHaveAttribute('aria-invalid', 'true');
    expect(button().closest('form')).toHaveAttribute('data-refused');
    expect(calls).toEqual([]);
    await userEvent.click(box());
    expect(box()).not.toHaveAttribute('aria-invalid');
  });

  test('sends which text was shown, once but for a failure, is busy while it is left, and not if it stays', async () => {
    const answer = deferred<typeof ACCEPTED>();
    const { calls, replace } = await show({ accept_consent: ['offline', answer.promise] });
    await userEvent.click(box());
    await userEvent.click(button());
    await vi.waitFor(() => expect(toasts()).toEqual(['Houve falha na requisição.']));
    for (const attribute of ['aria-busy', 'aria-disabled']) expect(button()).not.toHaveAttribute(attribute);
    expect(box()).toBeChecked();
    await userEvent.dblClick(button());
    await userEvent.keyboard('{Enter}');
    const call = { action: 'accept_consent', input: { session: 's-1', text: '1f2e3d4c' } };
    expect(calls).toMatchObject([call, call]);
    expect(button()).toHaveFocus();
    await act(async () => answer.settle(ACCEPTED));
    await vi.waitFor(() => expect(replace).toHaveBeenCalledExactlyOnceWith('/integration/accounts'));
    expect(button()).toHaveAttribute('aria-busy', 'true');
    expect(button()).toHaveAttribute('aria-disabled', 'true');
    act(() => void window.dispatchEvent(new Event('vincula-stays')));
    expect(button()).not.toHaveAttribute('aria-busy');
  });
});

test.each([
  ['the tick', 0],
  ['the press', 1],
  ['the explanation of a long wait', 8000],
])('React leaves %s alone', async (_what, waited) => {
  vi.useFakeTimers();
  const calls = answerActions({ accept_consent: [deferred<never>().promise] });
  const host = serve();
  operateConsent();
  fireEvent.click(box());
  if (waited > 0) fireEvent.click(button());
  vi.advanceTimersByTime(waited);
  await mountIsland(mount, host);
  if (waited === 0) fireEvent.click(button());
  vi.advanceTimersByTime(Math.max(7999 - waited, 0));
  expect(screen.queryAllByText('Está demorando mais que o normal…')).toHaveLength(waited < 8000 ? 0 : 1);
  vi.advanceTimersByTime(1);
  expect(screen.getByText('Está demorando mais que o normal…')).toHaveRole('status');
  expect(box()).toBeChecked();
  expect(calls.map(({ action }) => action)).toEqual(['accept_consent']);
});

test('docs/consent has today’s texts, without markup, and none that was changed: each has its SHA-256 as name', () => {
  const folder = join(import.meta.dirname, '../../../docs/consent');
  const names = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  const nameOf = (text: string | Buffer) => `${createHash('sha256').update(text).digest('hex')}.txt`;
  const texts = Object.values(consentTexts());
  const why = "the consent's words changed: run 'node scripts/consent-text.mjs' and commit docs/consent";
  expect(names, why).toEqual(expect.arrayContaining(texts.map(nameOf)));
  for (const text of texts) {
    expect(text).toContain('[ ] Autorizo [nome do escritório] a ler estes dados pelo Open Finance.');
    expect(text).toContain('Para [nome do cliente] [CPF ou CNPJ do cliente]\n');
    expect(text).not.toMatch(/[{}<>&]/);
  }
  for (const name of names) {
    expect(name, 'somebody agreed to this text: restore it').toBe(nameOf(readFileSync(join(folder, name))));
  }
  expect(new Set(names.map((name) => name.slice(0, 8))).size, 'the first digits are its alone').toBe(names.length);
});
