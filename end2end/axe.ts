/** axe's findings on a page, without Pluggy's frames. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Text under or over something else, whose contrast axe leaves open. */
const OVERLAPS = /overlap|partially obscured/;

/** What breaks a rule, and text whose contrast cannot be computed; `only` limits it to one rule. */
export async function findings(page: Page, disabled: string[] = [], only?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page }).exclude('iframe').disableRules(disabled);
  const { violations, incomplete } = await (only === undefined ? axe.withTags(RULES) : axe.withRules(only)).analyze();
  const unknown = incomplete.filter(
    ({ id, nodes }) => id === 'color-contrast' && nodes.some(({ any }) => !OVERLAPS.test(any[0]?.message ?? '')),
  );
  return [...violations, ...unknown].map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
