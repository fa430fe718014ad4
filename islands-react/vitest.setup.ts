import '@testing-library/jest-dom/vitest';
import { cleanup } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { unmountIslands } from './src/testing/page';

// jsdom has no layout, so it lacks this method.
Element.prototype.scrollIntoView = () => {};

// React reports hydration mismatches, missing keys and updates after unmount through console.error only.
beforeEach(() => {
  vi.spyOn(console, 'error');
});

afterEach(async () => {
  cleanup();
  await unmountIslands();
  expect(console.error).not.toHaveBeenCalled();
});
