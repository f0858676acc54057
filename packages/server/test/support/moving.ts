import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../../src/platform/lib/clock.ts";
import { command } from "./command.ts";
import { sendHit } from "./hits.ts";
import { testApp } from "./test-app.ts";
import { until } from "./until.ts";

const secretKey = "a secret of the tests, 32 characters or more";

/** What every process of a move has in common. */
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
	command(["move", ...args], { env: { ...usual, DATA_DIR: dataDir, ...targets } });

/** Sends hits to a service, each of its own visitor, until told to stop. */
export function visits(t: TestContext, address: string, site: string, prefix: string) {
	const taken: string[] = [];
	const ending = new AbortController();
	const service = { address: async () => address, config: { secretKey }, clock: systemClock };
	const send = async (n: number) => {
		const path = `/${prefix}-${n}`;
		const ip = `198.51.${Math.floor(n / 250)}.${n % 250}`;
		// While it starts again nobody listens.
		const status = await sendHit(service, { site, url: `https://shop.example${path}`, ip }).catch(() => 0);
		if (status === 204) taken.push(path);
	};
	const sending = (async () => {
		for (let n = 0; !ending.signal.aborted; n++) {
			await send(n);
			await pause(10);
		}
	})();
	const stop = async () => {
		ending.abort();
		await sending;
	};
	t.after(stop);
	return {
		taken,
		stop,
		/** Resolves when so many more were taken. */
		more: async (count: number) => {
			const before = taken.length;
			await until(() => taken.length >= before + count);
		},
	};
}
