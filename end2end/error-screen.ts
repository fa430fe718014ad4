/** The error screens' addresses. */

/** Where a failed action leads: its address carries the support code of the request that failed. */
export function failedInto(kind: string): RegExp {
  return new RegExp(`/error/${kind}\\?codigo=[0-9a-f]{12}$`);
}
