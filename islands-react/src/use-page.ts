import { createContext, useContext } from "react";
import type { Page } from "./page/page";

/** Provided by `mount.tsx` and, at build time, by `prerender.tsx`. */
export const PageContext = createContext<Page | null>(null);

/** Returns the services of the page around the island. Throws without a `PageContext`. */
export function usePage(): Page {
	const page = useContext(PageContext);
	if (page === null) throw new Error("usePage needs a PageContext");
	return page;
}
