import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { operateConsent } from '../page/consent';
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
import { prerender } from './prerender';

const button = () => screen.getByRole('button', { name: 'Autorizar integrações bancárias' });
const box = () => screen.getByRole('checkbox');

function served(): string {
  const { session, customerName, clientName } = CONTEXT;
  return renderTemplate(prerender().individual, {
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

describe('the screen', () => {
  function show(accept: () => Promise<boolean> = async () => false) {
    const texts = {
      session: 's',
      text: '1f2e3d4c',
      customerName: 'Firma',
      clientName: 'Ana',
      clientDocument: '***',
      purpose: 'isso.',
    };
    render(<Consent {...texts} accept={accept} />);
  }

  test('names the firm, the data, what for and how long, and that access is read-only', () => {
    show();
    const heading = screen.getByRole('heading', { level: 1 });
    expect(heading).toHaveTextContent(/^Firma pede acesso/);
    expect(heading).toHaveAccessibleDescription('Passo 1 de 5 · Autorizar');
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Instituição financeira',
      'Número da agência',
      'Número da conta corrente',
      'Extrato bancário: datas, valores e descrições',
    ]);
    for (const text of [
      'Acesso somente de leitura. Firma só consulta os extratos das contas que você conectar.',
      'Para quê: isso.',
      'Até quando: por prazo indeterminado, até você cancelar.',
      'Nem Firma nem a Vincula veem a senha do seu banco.',
      'Autorizo o escritório Firma a consultar, sem poder alterar, os dados acima por meio do Open Finance.',
    ]) {
      expect(document.body).toHaveTextContent(text);
    }
  });

  test('the box is not ticked, the button is disabled and says why; ticking enables, unticking disables', async () => {
    show();
    expect(box()).not.toBeChecked();
    expect(button()).toHaveAttribute('aria-disabled', 'true');
    expect(button()).toHaveAccessibleDescription('Marque a caixa para continuar');
    await userEvent.click(box());
    expect(button()).not.toHaveAttribute('aria-disabled');
    expect(button()).not.toHaveAccessibleDescription();
    await userEvent.click(box());
    expect(button()).toHaveAttribute('aria-disabled', 'true');
  });

  test('pressed without the tick it sends nothing, and the focus goes to the box, which says why', async () => {
    const accept = vi.fn(async () => false);
    show(accept);
    await userEvent.tab();
    await userEvent.tab();
    expect(button()).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    expect(box()).toHaveFocus();
    expect(box()).toHaveAccessibleDescription('Marque a caixa para continuar');
    expect(button().closest('form')).toHaveAttribute('data-refused');
    expect(accept).not.toHaveBeenCalled();
  });

  test('a second click while sending does nothing; the button is busy and keeps the focus', async () => {
    const accepted = deferred<boolean>();
    const accept = vi.fn(() => accepted.promise);
    show(accept);
    await userEvent.click(box());
    await userEvent.dblClick(button());
    await userEvent.keyboard('{Enter}');
    expect(accept).toHaveBeenCalledOnce();
    expect(button()).toHaveAttribute('aria-busy', 'true');
    expect(button().querySelector('.button__spinner')).toBeInTheDocument();
    expect(button()).toHaveFocus();
    await act(async () => accepted.settle(false));
    expect(button()).toHaveAttribute('aria-busy', 'true');
  });

  test('a failure that stays gives the button back, the box ticked', async () => {
    const accept = vi.fn(async () => true);
    show(accept);
    await userEvent.click(box());
    await userEvent.click(button());
    expect(button()).not.toHaveAttribute('aria-busy');
    expect(box()).toBeChecked();
    await userEvent.click(button());
    expect(accept).toHaveBeenCalledTimes(2);
  });

  test('a long wait is explained', async () => {
    vi.useFakeTimers();
    show(() => deferred<boolean>().promise);
    fireEvent.click(box());
    fireEvent.click(button());
    act(() => vi.advanceTimersByTime(7900));
    expect(screen.queryByText(/Está demorando/)).not.toBeInTheDocument();
    act(() => vi.advanceTimersByTime(200));
    expect(screen.getByText('Está demorando mais que o normal…')).toBeInTheDocument();
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
    const host = putHost(`\n  ${served()}\n`);
    const before = [...host.querySelectorAll('*')];
    await mountIsland(mount, host);
    expect([...host.querySelectorAll('*')]).toEqual(before);
    expect(before.every((node) => node.isConnected)).toBe(true);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Contábil "Horizonte" & Filhos');
    expect(host).toHaveTextContent('Padaria Pão & Cia <Ltda> CPF ***.982.247-**');
    expect(host).toHaveTextContent('Para quê: a sua contabilidade.');
    expect(calls).toEqual([]);
  });

  test('a box that was ticked before hydration stays ticked and the button is enabled', async () => {
    const host = putHost(served());
    await userEvent.click(box());
    await mountIsland(mount, host);
    expect(box()).toBeChecked();
    expect(button()).not.toHaveAttribute('aria-disabled');
  });

  test('the page’s script enables the button before React, which then takes over', async () => {
    const host = putHost(served());
    operateConsent();
    expect(button()).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(box());
    expect(button()).not.toHaveAttribute('aria-disabled');
    expect(screen.getByText('Marque a caixa para continuar')).not.toBeVisible();
    await userEvent.click(box());
    expect(button()).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(box());
    await mountIsland(mount, host);
    expect(button()).not.toHaveAttribute('aria-disabled');
    await userEvent.click(box());
    expect(button()).toHaveAttribute('aria-disabled', 'true');
  });

  test('the page’s script refuses before React as React does', async () => {
    const calls = answerActions({});
    const host = putHost(served());
    operateConsent();
    await userEvent.click(button());
    expect(box()).toHaveFocus();
    expect(host.querySelector('form')).toHaveAttribute('data-refused');
    expect(calls).toEqual([]);
  });

  test('the page’s script sends which text was shown, too', async () => {
    const calls = answerActions({ accept_consent: ['offline'] });
    putHost(served());
    operateConsent();
    await userEvent.click(box());
    await userEvent.click(button());
    expect(calls).toMatchObject([{ action: 'accept_consent', input: { session: 's-1', text: '1f2e3d4c' } }]);
  });

  test('authorizing sends the session and which text was shown, and replaces the page by the next one', async () => {
    const { replace } = watchLocation();
    const calls = answerActions({ accept_consent: [{ body: { to: '/integration/accounts' } }] });
    await mountIsland(mount, putHost(served()));
    await userEvent.click(box());
    await userEvent.click(button());
    expect(calls).toMatchObject([{ action: 'accept_consent', input: { session: 's-1', text: '1f2e3d4c' } }]);
    expect(replace).toHaveBeenCalledExactlyOnceWith('/integration/accounts');
  });

  test('no reply toasts and stays', async () => {
    const { replace } = watchLocation();
    answerActions({ accept_consent: ['offline'] });
    await mountIsland(mount, putHost(served()));
    await userEvent.click(box());
    await userEvent.click(button());
    expect(toasts()).toEqual(['Houve falha na requisição.']);
    expect(replace).not.toHaveBeenCalled();
    expect(button()).not.toHaveAttribute('aria-disabled');
  });
});
