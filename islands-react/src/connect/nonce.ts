/** The nonce of the page's scripts and styles. Pluggy's SDK needs it. */

export function pageNonce(): string {
	return (
		document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? ""
	);
}

let setsNonce = false;

/**
 * Makes `document.createElement` set the nonce on every `<style>` from here on. The SDK creates the
 * `<style>` of its container without a nonce: its `cspNonce` is only for its frames.
 */
export function setNonceOnStyles(): void {
	if (setsNonce) return;
	setsNonce = true;
	const original: (
		name: string,
		options?: ElementCreationOptions,
	) => HTMLElement = document.createElement;
	document.createElement = ((
		name: string,
		options?: ElementCreationOptions,
	) => {
		const element = original.call(document, name, options);
		if (element instanceof HTMLStyleElement) element.nonce = pageNonce();
		return element;
	}) as typeof document.createElement;
}
