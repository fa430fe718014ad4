import { createContext, useContext } from "react";
import type { Page } from "./page/page";

/** Set by `mount.tsx`, and by `prerender.tsx` at build time, where nothing of the page is called. */
export const PageContext = createContext<Page | null>(null);

/** The page around the island. */
export function usePage(): Page {
	const page = useContext(PageContext);
	if (page === null) throw new Error("an island outside of a page");
	return page;
}
