/**
 * The Portuguese texts of the page around the islands. The page does not load the islands' texts
 * (`../messages.ts`).
 */

export const notices = {
	noReply: "Houve falha na requisição.",
} as const;
