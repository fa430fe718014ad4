import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		environment: "jsdom",
		restoreMocks: true,
		unstubGlobals: true,
		include: ["src/**/*.test.{ts,tsx}"],
		setupFiles: ["./src/testing/setup.ts"],
	},
});
