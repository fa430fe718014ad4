import { createContext, useContext } from "react";
import type { Page } from "./page/page";

/** The services of the page, for React islands. Provided by `mount.tsx` and, at build time, by `prerender.tsx`. */
export const PageServices = createContext<Page | null>(null);

/** Returns the services of the page around the island. Throws without a `PageServices`. */
export function usePage(): Page {
	const page = useContext(PageServices);
	if (page === null) throw new Error("usePage needs a PageServices");
	return page;
}
