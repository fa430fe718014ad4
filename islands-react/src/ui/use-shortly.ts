import { useEffect, useState } from "react";

/**
 * After a dialog has opened or closed, screen readers miss changes that follow immediately, or read
 * them twice.
 */
const SHORTLY_MS = 200;

/**
 * Returns the text for a live region: `text` once it has been the same for a moment, and an empty text
 * until then.
 */
export function useShortly(text: string): string {
	const [said, setSaid] = useState("");
	useEffect(() => {
		const timer = setTimeout(() => setSaid(text), SHORTLY_MS);
		return () => clearTimeout(timer);
	}, [text]);
	return said === text ? said : "";
}
