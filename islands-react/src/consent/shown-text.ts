/**
 * The text of the consent as it is shown, for `docs/consent/`: its SHA-256 is the evidence of what a client agreed to.
 * Runs in the build and in tests only.
 */

/** What stands in the text for the values of a visit. */
const PLACES: Record<string, string> = {
  customerName: '[nome do escritório]',
  clientName: '[nome do cliente]',
  clientDocument: '[CPF ou CNPJ do cliente]',
  purpose: '[finalidade informada pelo escritório]',
};

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'", '&amp;': '&' };

/** The text of a prerendered screen: a paragraph, heading, item, box or button a line. */
export function shownText(html: string): string {
  const lines = html
    .replaceAll(/<input[^>]*type="checkbox"[^>]*>/g, '[ ] ')
    .replaceAll('<button', '\n<button')
    .replaceAll('<li', '\n- <li')
    .replaceAll(/<\/(?:p|h1|h2|li|ul|summary|label|button|div|section)>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&[a-z0-9#]+;/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\{\{(\w+)\}\}/g, (token, name) => PLACES[name] ?? token)
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim());
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}
