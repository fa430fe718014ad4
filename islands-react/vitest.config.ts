import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		environment: "jsdom",
		restoreMocks: true,
		unstubGlobals: true,
		projects: [
			{
				extends: true,
				test: {
					name: "islands-react",
					include: ["src/**/*.test.{ts,tsx}"],
					setupFiles: ["./src/testing/setup.ts"],
				},
			},
			// The screens once more, on a page that is translated after each change.
			{
				extends: true,
				test: {
					name: "translated",
					include: ["src/{bank-form,connect,consent}/*.test.tsx"],
					setupFiles: ["./src/testing/setup.ts", "./src/testing/translator.ts"],
				},
			},
		],
	},
});
