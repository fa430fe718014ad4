/** axe's findings on a page, without Pluggy's frames. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export async function findings(page: Page, disabled: string[] = []): Promise<string[]> {
  const axe = new AxeBuilder({ page }).withTags(RULES).exclude('iframe').disableRules(disabled);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
