import '@testing-library/jest-dom/vitest';
import { cleanup } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { putToasts, unmountIslands } from './src/testing/page';

// jsdom has no layout, so it lacks this method.
Element.prototype.scrollIntoView = () => {};

// React reports hydration mismatches, missing keys and updates after unmount through console.error only.
beforeEach(() => {
  vi.spyOn(console, 'error');
});

// The page's script, new for each test: a page that was stopped stays stopped.
beforeEach(async () => {
  vi.resetModules();
  window.vincula = (await import('./src/page/client')).client;
  putToasts();
});

afterEach(async () => {
  cleanup();
  await unmountIslands();
  expect(console.error).not.toHaveBeenCalled();
});
