import { expect, test } from 'vitest';
import { watchLocation } from '../testing/page';
import { isOwnPath, replace } from './navigate';

test.each(['/', '/integration/accounts', '/error/token-invalid?id=1#a'])('own path: %s', (to) => {
  const { replace: sent } = watchLocation();
  replace(to);
  expect(sent).toHaveBeenCalledExactlyOnceWith(to);
});

test.each([
  '//evil.test',
  '/\\evil.test',
  '\\\\evil.test',
  'https://evil.test',
  'javascript:alert(1)',
  '',
  'x',
  '/a\nb',
  '/\t/evil',
])('a stranger ends on the error screen: %j', (to) => {
  const { replace: sent } = watchLocation();
  expect(isOwnPath(to)).toBe(false);
  replace(to);
  expect(sent).toHaveBeenCalledExactlyOnceWith('/error/token-invalid');
});
