import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { BankFormContext, BankOption } from '../generated/types';
import { type Answer, answerActions, deferred, watchLocation } from '../testing/page';
import { BankForm } from './BankForm';
import { eachField } from './fields';

const BANKS: BankOption[] = [
  { code: '001', name: 'Banco do Brasil' },
  { code: '260', name: 'Nu Pagamentos' },
];
const EMPTY: BankFormContext = {
  bank: '',
  bankName: '',
  fixed: [],
  bankIsAskedAgain: true,
  clientIsCompany: true,
  ...eachField(() => ''),
};
const READY: Answer = { body: { banks: BANKS } };
const SAVED: Answer = { body: { to: '/integration/widget' } };
const FIRM = 'Contábil Horizonte';
const WORDS = {
  bank: 'Obrigatório selecionar o banco!',
  name: 'Obrigatório preencher o nome completo do administrador da conta bancária!',
  cpf: 'Obrigatório preencher o CPF do administrador da conta bancária!',
  wrongCpf: 'CPF inválido!',
};

const bank = () => screen.getByRole('combobox', { name: 'Banco' });
const name = () => screen.getByRole('textbox', { name: 'Nome completo do administrador' });
const cpf = () => screen.getByRole('textbox', { name: 'CPF do administrador' });
const submit = () => screen.getByRole('button', { name: 'Avançar' });

/** Shows the form. The server has these answers for the list of banks and for the form, in turn. */
async function show(saved: Partial<BankFormContext> = {}, save: Answer[] = [SAVED], banks: Answer[] = [READY]) {
  const { replace } = watchLocation();
  const calls = answerActions({ list_banks: banks, save_bank_form: save });
  const props = { session: 's-1', firm: FIRM, clientName: 'Padaria São João Ltda' };
  await act(async () => render(<BankForm saved={{ ...EMPTY, ...saved }} {...props} />));
  const inputs = (action: string) => calls.filter((call) => call.action === action).map(({ input }) => input);
  return { replace, saved: () => inputs('save_bank_form'), loaded: () => inputs('list_banks').length };
}

async function fill() {
  await userEvent.type(bank(), 'nubank{Enter}');
  await userEvent.type(name(), 'Bia Lima');
  await userEvent.type(cpf(), '52998224725');
}

afterEach(() => {
  document.body.innerHTML = '';
});

test('the title and the note', async () => {
  await show();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(
    /^Insira os dados do administrador da conta bancária que deseja integrar\.$/,
  );
  expect(screen.getByRole('heading', { level: 1 })).toHaveAccessibleDescription(/^Passos 2 e 3 de 5/);
  expect(screen.getByText('NÃO será concluída.')).toBeInTheDocument();
  expect(bank()).toHaveAttribute('placeholder', 'Selecione o banco');
});

test('the bank comes first, then the note, right before the administrator', async () => {
  await show();
  const note = screen.getByText(/^O administrador pode compartilhar .* o titular, um sócio ou o usuário máster\./);
  const order = [bank(), note, name(), cpf(), submit()];
  const follows = Node.DOCUMENT_POSITION_FOLLOWING;
  for (const [at, next] of order.slice(1).entries()) {
    expect(order[at]?.compareDocumentPosition(next)).toBe(follows);
  }
});

test('what comes next is said before it is due, and that the bank is asked again if it is', async () => {
  await show();
  expect(screen.getByText(/^A seguir, o seu banco: deixe o aplicativo e a senha à mão\./)).toBeVisible();
  expect(screen.getByText('Na próxima tela, toque outra vez no seu banco.')).toBeVisible();
  await act(async () => cleanup());
  await show({ bankIsAskedAgain: false });
  expect(screen.queryByText(/toque outra vez/)).not.toBeInTheDocument();
});

test('there is a way back', async () => {
  await show();
  expect(screen.getByRole('link', { name: 'Voltar' })).toHaveAttribute('href', '/integration/accounts');
});

describe('a name of one word', () => {
  const DOUBT = 'Escreva o nome completo, como no banco.';

  test('is doubted once it is left, until there is a second one', async () => {
    await show();
    await userEvent.type(name(), 'Bia');
    expect(screen.queryByText(DOUBT)).not.toBeInTheDocument();
    await userEvent.tab();
    expect(await screen.findByText(DOUBT)).toHaveRole('status');
    expect(name()).toHaveAccessibleDescription(DOUBT);
    expect(name()).toBeValid();
    await userEvent.type(name(), ' L');
    expect(screen.queryByText(DOUBT)).not.toBeInTheDocument();
  });

  test('can be sent', async () => {
    const { saved } = await show();
    await userEvent.type(bank(), 'nubank{Enter}');
    await userEvent.type(name(), 'Bia');
    await userEvent.type(cpf(), '52998224725');
    await userEvent.click(submit());
    expect(saved()).toMatchObject([
      { session: 's-1', bank: '260', bankName: 'Nubank', name: 'Bia', cpf: '529.982.247-25' },
    ]);
  });
});

describe('a name that is the company’s own', () => {
  const DOUBT = 'Escreva o nome da pessoa, não o da empresa.';

  test('is doubted whatever its case, accents and spaces, and can be sent', async () => {
    const { saved } = await show({ bank: '260', cpf: '529.982.247-25' });
    await userEvent.type(name(), ' padaria  sao joao ltda');
    expect(screen.getByText(DOUBT)).toHaveRole('status');
    expect(name()).toHaveAccessibleDescription(DOUBT);
    await userEvent.click(submit());
    expect(saved()).toHaveLength(1);
    await userEvent.clear(name());
    await userEvent.type(name(), 'João Padeiro');
    expect(screen.queryByText(DOUBT)).not.toBeInTheDocument();
  });

  test('is doubted if it was saved', async () => {
    await show({ name: 'Padaria São João Ltda' });
    expect(name()).toHaveAccessibleDescription(DOUBT);
  });

  test('is a person’s if the client is one', async () => {
    await show({ name: 'Padaria São João Ltda', clientIsCompany: false });
    expect(screen.queryByText(DOUBT)).not.toBeInTheDocument();
  });
});

describe('errors', () => {
  test('an empty form shows each under its field, focuses the first and says how many', async () => {
    const { saved } = await show();
    await userEvent.click(submit());
    expect(bank()).toHaveAccessibleDescription(expect.stringContaining(WORDS.bank));
    expect(name()).toHaveAccessibleDescription(WORDS.name);
    expect(cpf()).toHaveAccessibleDescription(WORDS.cpf);
    expect(cpf()).toBeInvalid();
    expect(bank()).toHaveFocus();
    expect(screen.getByText('Há 3 campos a corrigir.')).toHaveRole('status');
    expect(saved()).toEqual([]);
  });

  test('they come and go with every change after the first sending', async () => {
    await show();
    await userEvent.click(submit());
    await userEvent.type(cpf(), '5');
    expect(screen.queryByText(WORDS.cpf)).not.toBeInTheDocument();
    expect(screen.getByText(WORDS.wrongCpf)).toBeInTheDocument();
    await userEvent.type(cpf(), '2998224725');
    expect(screen.queryByText(WORDS.wrongCpf)).not.toBeInTheDocument();
    expect(cpf()).toBeValid();
    await userEvent.clear(cpf());
    expect(screen.getByText(WORDS.cpf)).toBeInTheDocument();
    await userEvent.type(name(), 'B');
    expect(screen.queryByText(WORDS.name)).not.toBeInTheDocument();
    await userEvent.type(bank(), 'brasil{Enter}');
    expect(screen.queryByText(WORDS.bank)).not.toBeInTheDocument();
  });

  test('a bank that was typed but not picked is reported when the field is left, and as required once sent', async () => {
    const { saved } = await show();
    await userEvent.type(bank(), 'n');
    await userEvent.click(name());
    expect(bank()).toHaveValue('n');
    expect(bank()).toBeInvalid();
    expect(bank()).toHaveAccessibleDescription(expect.stringContaining('Toque no seu banco na lista.'));
    await userEvent.click(submit());
    expect(bank()).toHaveAccessibleDescription(expect.stringContaining(WORDS.bank));
    expect(bank()).toHaveValue('n');
    await userEvent.click(bank());
    await userEvent.click(screen.getByRole('option', { name: /Nu Pagamentos/ }));
    expect(bank()).toBeValid();
    expect(saved()).toEqual([]);
  });

  test('a bank that is not on the list is reported when the field is left', async () => {
    await show();
    await userEvent.type(bank(), 'xyz');
    await userEvent.click(name());
    expect(bank()).toHaveAccessibleDescription(expect.stringContaining('Não achamos esse banco.'));
    await userEvent.clear(bank());
    await userEvent.click(name());
    expect(bank()).toBeValid();
  });

  test('what is said of a typed bank goes with the next change of it', async () => {
    await show();
    await userEvent.type(bank(), 'n');
    await userEvent.click(name());
    expect(screen.getByText('Toque no seu banco na lista.')).toBeInTheDocument();
    await userEvent.type(bank(), 'u');
    expect(screen.queryByText('Toque no seu banco na lista.')).not.toBeInTheDocument();
    expect(bank()).toBeValid();
  });

  test('a wrong field is reported when it is left, an empty one is not', async () => {
    await show();
    await userEvent.type(cpf(), '123');
    expect(screen.queryByText(WORDS.wrongCpf)).not.toBeInTheDocument();
    await userEvent.click(name());
    expect(await screen.findByText(WORDS.wrongCpf)).toBeInTheDocument();
    await userEvent.tab();
    expect(screen.queryByText(WORDS.name)).not.toBeInTheDocument();
  });

  test('an error does not move the button away from under a press', async () => {
    await show();
    const user = userEvent.setup();
    await user.type(cpf(), '123');
    await user.pointer({ keys: '[MouseLeft>]', target: submit() });
    expect(cpf()).not.toHaveFocus();
    expect(screen.queryByText(WORDS.wrongCpf)).not.toBeInTheDocument();
    await user.pointer({ keys: '[/MouseLeft]', target: submit() });
    expect(await screen.findByText(WORDS.wrongCpf)).toBeInTheDocument();
  });

  test('there is no native validation', async () => {
    await show();
    expect(submit().closest('form')).toHaveAttribute('novalidate');
  });
});

describe('the CPF field', () => {
  test('masks while typing, keeps 11 digits, and takes a pasted CPF', async () => {
    await show();
    await userEvent.type(cpf(), '529982247259');
    expect(cpf()).toHaveValue('529.982.247-25');
    await userEvent.clear(cpf());
    await userEvent.click(cpf());
    await userEvent.paste('CPF 111.444.777-35');
    expect(cpf()).toHaveValue('111.444.777-35');
    expect(cpf()).toHaveAttribute('inputmode', 'numeric');
  });

  test('keeps the caret at its digit', async () => {
    await show();
    const field = cpf();
    if (!(field instanceof HTMLInputElement)) throw new Error('no input');
    await userEvent.type(field, '529982');
    await userEvent.type(field, '7', { initialSelectionStart: 1, initialSelectionEnd: 1 });
    expect(field).toHaveValue('572.998.2');
    expect(field.selectionStart).toBe(2);
    // A dot cannot be deleted: the caret steps over it, and the next press deletes the digit before it.
    field.setSelectionRange(4, 4);
    await userEvent.keyboard('{Backspace}');
    expect(field).toHaveValue('572.998.2');
    expect(field.selectionStart).toBe(3);
    await userEvent.keyboard('{Backspace}');
    expect(field).toHaveValue('579.982');
  });
});

describe('what the session knows', () => {
  test('fills the form in', async () => {
    await show({ bank: '260', name: 'Bia Lima', cpf: '111.444.777-35' });
    expect(bank()).toHaveValue('Nubank');
    expect(name()).toHaveValue('Bia Lima');
    expect(cpf()).toHaveValue('111.444.777-35');
    expect(name()).not.toHaveAttribute('readonly');
    expect(cpf()).not.toHaveAttribute('readonly');
  });

  test('fixes name and CPF where the client is the administrator, and sends them', async () => {
    const { saved } = await show({ name: 'Padaria', cpf: '529.982.247-25', fixed: ['name', 'cpf'] });
    expect(name()).toHaveAttribute('readonly');
    expect(cpf()).toHaveAttribute('readonly');
    expect(name()).toHaveAccessibleDescription(
      'Dados informados por Contábil Horizonte. Se estiverem errados, avise o escritório.',
    );
    await userEvent.type(name(), 'x');
    await userEvent.type(bank(), '001{Enter}');
    await userEvent.click(submit());
    expect(saved()).toMatchObject([
      { bank: '001', bankName: 'Banco do Brasil', name: 'Padaria', cpf: '529.982.247-25' },
    ]);
  });

  test('a saved bank that is no longer offered has to be chosen anew', async () => {
    const { saved } = await show({ bank: '777', name: 'Bia', cpf: '111.444.777-35' });
    expect(bank()).toHaveValue('');
    await userEvent.click(bank());
    await userEvent.tab();
    expect(bank()).toBeValid();
    await userEvent.click(submit());
    expect(screen.getByText(WORDS.bank)).toBeInTheDocument();
    expect(saved()).toEqual([]);
  });
});

describe('sending', () => {
  test('is busy, refuses a second click, and stays busy while the page is left', async () => {
    const answer = deferred<{ body: unknown }>();
    const { saved, replace } = await show({}, [answer.promise]);
    await fill();
    await userEvent.dblClick(submit());
    expect(saved()).toMatchObject([
      { session: 's-1', bank: '260', bankName: 'Nubank', name: 'Bia Lima', cpf: '529.982.247-25' },
    ]);
    expect(submit()).toHaveAttribute('aria-busy', 'true');
    await act(async () => answer.settle({ body: { to: '/integration/widget' } }));
    expect(replace).toHaveBeenCalledExactlyOnceWith('/integration/widget');
    expect(submit()).toHaveAttribute('aria-busy', 'true');
  });

  test('a page that stays after it was left gives the button back', async () => {
    await show();
    await fill();
    await userEvent.click(submit());
    expect(submit()).toHaveAttribute('aria-busy', 'true');
    act(() => void window.dispatchEvent(new Event('vincula-stays')));
    expect(submit()).not.toHaveAttribute('aria-busy');
  });

  test('errors of the server show under the field until it is changed; nothing typed is lost', async () => {
    const fields = [{ field: 'cpf', code: 'invalid' }];
    await show({}, [{ status: 422, body: { kind: 'invalid', fields } }]);
    await fill();
    await userEvent.click(submit());
    expect(cpf()).toHaveAccessibleDescription(WORDS.wrongCpf);
    expect(cpf()).toHaveFocus();
    expect(name()).toHaveValue('Bia Lima');
    expect(bank()).toHaveValue('Nubank');
    expect(submit()).not.toHaveAttribute('aria-busy');
    await userEvent.clear(cpf());
    await userEvent.type(cpf(), '11144477735');
    expect(cpf()).toBeValid();
  });
});

describe('the list of banks', () => {
  const FAILED = 'Não foi possível carregar a lista de bancos.';
  const WAIT = 'Aguarde a lista de bancos.';

  test('is asked for once, and the field says that it is on its way', async () => {
    const banks = deferred<{ body: unknown }>();
    const { loaded } = await show({}, [SAVED], [banks.promise]);
    expect(bank()).toHaveAccessibleDescription('Ex.: Itaú, Nubank');
    expect(bank()).toHaveAttribute('placeholder', 'Carregando a lista de bancos…');
    expect(bank()).toHaveAttribute('aria-busy', 'true');
    await userEvent.type(name(), 'Bia');
    await act(async () => banks.settle({ body: { banks: BANKS } }));
    expect(bank()).not.toHaveAttribute('aria-busy');
    expect(loaded()).toBe(1);
  });

  test('that is long on its way is said to be slow, until it is there', async () => {
    vi.useFakeTimers();
    const banks = deferred<{ body: unknown }>();
    await show({}, [SAVED], [banks.promise]);
    act(() => vi.advanceTimersByTime(7900));
    expect(screen.queryByText(/Está demorando/)).not.toBeInTheDocument();
    act(() => vi.advanceTimersByTime(200));
    expect(screen.getByText('Está demorando mais que o normal…')).toHaveRole('status');
    await act(async () => banks.settle({ body: { banks: BANKS } }));
    expect(screen.queryByText(/Está demorando/)).not.toBeInTheDocument();
    vi.useRealTimers();
  });

  test('that is not there yet is to be waited for, and no choice is missed', async () => {
    const banks = deferred<{ body: unknown }>();
    const { saved } = await show({}, [SAVED], [banks.promise]);
    await userEvent.click(submit());
    expect(bank()).toHaveFocus();
    expect(bank()).toHaveAccessibleDescription(expect.stringContaining(WAIT));
    expect(screen.queryByText(WORDS.bank)).not.toBeInTheDocument();
    expect(screen.getByText('Há 2 campos a corrigir.')).toBeInTheDocument();
    await act(async () => banks.settle({ body: { banks: BANKS } }));
    expect(bank()).toBeValid();
    expect(screen.queryByText(WAIT)).not.toBeInTheDocument();
    expect(screen.queryByText(WORDS.bank)).not.toBeInTheDocument();
    await userEvent.click(submit());
    expect(screen.getByText(WORDS.bank)).toBeInTheDocument();
    expect(saved()).toEqual([]);
  });

  test.each<[string, Answer, string]>([
    ['did not come', 'offline', FAILED],
    [
      'is empty',
      { body: { banks: [] } },
      'A lista de bancos veio vazia. Tente de novo ou fale com Contábil Horizonte.',
    ],
  ])('that %s can be asked for again, and what was typed stays', async (_how, answer, why) => {
    await show({}, [SAVED], [answer, READY]);
    expect(bank()).toHaveAttribute('placeholder', 'Lista indisponível');
    expect(bank()).toHaveAccessibleDescription(why);
    expect(screen.getByRole('alert')).toHaveTextContent(why);
    await userEvent.type(name(), 'Bia');
    await userEvent.click(submit());
    expect(bank()).toBeInvalid();
    expect(bank()).toHaveAccessibleDescription(expect.stringContaining(why));
    expect(screen.queryByText(WORDS.bank)).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }));
    expect(screen.getByRole('alert')).toBeEmptyDOMElement();
    expect(bank()).toBeValid();
    await userEvent.click(bank());
    expect(screen.getAllByRole('option')).toHaveLength(2);
    expect(name()).toHaveValue('Bia');
  });

  test('whose refusal leads elsewhere says nothing more', async () => {
    await show({}, [SAVED], [{ status: 502, body: { kind: 'navigate', to: '/error/token-expired' } }]);
    expect(screen.queryByText(FAILED)).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Tentar de novo' })).not.toBeInTheDocument();
  });

  test('with two banks of one code keeps them apart, from the saved one to the sent one', async () => {
    const banks = [
      { code: '756', name: 'Credi Norte' },
      { code: '756', name: 'Credi Sul' },
    ];
    const list: Answer[] = [{ body: { banks } }];
    const sul = { bank: '756', bankName: 'Credi Sul', name: 'Bia Lima', cpf: '529.982.247-25' };
    const { saved } = await show(sul, [SAVED], list);
    expect(bank()).toHaveValue('Credi Sul');
    await userEvent.click(submit());
    expect(saved()).toMatchObject([{ bank: '756', bankName: 'Credi Sul' }]);
    await act(async () => cleanup());
    await show({ bank: '756', bankName: 'Credi Norte' }, [SAVED], list);
    expect(bank()).toHaveValue('Credi Norte');
    await act(async () => cleanup());
    await show({ bank: '756', bankName: 'renamed' }, [SAVED], list);
    expect(bank()).not.toHaveValue('');
  });
});
