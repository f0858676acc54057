import type { TestContext } from "node:test";
import { cli } from "./cli.ts";
import { testApp } from "./test-app.ts";

const secretKey = "a secret of the tests, 32 characters or more";

/** Settings of every process of a move. */
export const usual = { NODE_ENV: "test", SECRET_KEY: secretKey };

/** The moment at which apps of these tests stand: rows of it are young. */
export const NOW = Date.now();

type Environment = Readonly<Record<string, string>>;

/** The service on a directory, which a test may close before its end. */
export async function appOn(t: TestContext, dataDir: string, options: Partial<Parameters<typeof testApp>[0]> = {}) {
	const { env, ...more } = options;
	const now = new Date(NOW).toISOString();
	const app = await testApp({ dataDir, now, env: { SECRET_KEY: secretKey, ...env }, ...more });
	let closing: Promise<void> | undefined;
	const close = () => {
		closing ??= app.close();
		return closing;
	};
	t.after(close);
	return { ...app, close };
}

/** Runs `footfall move` to its end. */
export const move = (dataDir: string, targets: Environment, ...args: string[]) =>
	cli(["move", ...args], { env: { ...usual, DATA_DIR: dataDir, ...targets } });
