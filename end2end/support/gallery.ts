/** The states of the gallery (`src/gallery/states.rs`). */
import { startSandbox } from "./servers.ts";

export type State = {
	slug: string;
	/** What is visible once the state is reached. */
	shows: string;
};

/** Playwright needs the states before any test runs, so a program that is started for this lists them. */
export async function readStates(): Promise<State[]> {
	const program = await startSandbox();
	try {
		return (await (
			await fetch(`${program.url}/sandbox/screens.json`)
		).json()) as State[];
	} finally {
		await program.kill();
	}
}
