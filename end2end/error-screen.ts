/** The addresses of error screens. */

/** The address after a failed action, with the support code of the failed request. */
export function failedInto(kind: string): RegExp {
  return new RegExp(`/error/${kind}\\?codigo=[0-9a-f]{12}$`);
}
