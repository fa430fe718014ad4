import { expect, test } from 'vitest';
import { stepReader } from './steps';

test('every event that counts has its step, and no other event has one', () => {
  const read = stepReader(601);
  const steps = [
    'SELECTED_INSTITUTION',
    'SUBMITTED_CONSENT',
    'SUBMITTED_LOGIN',
    'LOGIN_SUCCESS',
    'SUBMITTED_MFA',
    'LOGIN_MFA_SUCCESS',
  ].map((event) => read({ event, timestamp: 1 })?.step);
  expect(steps).toEqual(['institution', 'consent', 'login', 'login_accepted', 'mfa', 'mfa_accepted']);
  const others = ['LOGIN_STEP_COMPLETED', 'ITEM_RESPONSE', 'constructor', '__proto__', '', 1, null, undefined];
  for (const event of others) expect(read({ event })).toBeUndefined();
  for (const payload of [undefined, null, 'SUBMITTED_LOGIN', []]) expect(read(payload)).toBeUndefined();
});

test('a step names the connector that was chosen, before or inside Connect', () => {
  const read = stepReader(601);
  const login = { event: 'SUBMITTED_LOGIN' };
  expect(read(login)).toEqual({ step: 'login', connector: 601 });
  read({ event: 'SELECTED_INSTITUTION', connector: { id: 612, name: 'Nubank' } });
  expect(read(login)).toEqual({ step: 'login', connector: 612 });
  for (const connector of [null, { id: '612' }, { id: -1 }, { id: 1.5 }, { id: 2 ** 32 }, 612]) {
    expect(read({ event: 'SELECTED_INSTITUTION', connector })).toEqual({ step: 'institution', connector: null });
  }
  expect(stepReader(null)(login)).toEqual({ step: 'login', connector: null });
});
