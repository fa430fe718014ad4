/** The addresses of error screens. */

/**
 * The address after a failed action, with the support code of the failed request. `outage`: the widget API failed itself,
 * so that the screen does not blame the link.
 */
export function failedInto(kind: string, { outage = false } = {}): RegExp {
  return new RegExp(`/error/${kind}\\?${outage ? 'falha=servico&' : ''}codigo=[0-9a-f]{12}$`);
}
