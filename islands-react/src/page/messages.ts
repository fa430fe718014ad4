/** The Portuguese texts of the page around the islands. Their own are in `../messages.ts`, which the page does not load. */

export const notices = {
	/** The name of the toasts' box. */
	title: "Avisos",
	noReply: "Houve falha na requisição.",
	done: "Pronto.",
	goOn: "Continuar",
} as const;
