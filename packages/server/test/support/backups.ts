import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { lockDirectory } from "../../src/platform/files/lock-directory.ts";
import { announceService } from "../../src/platform/files/running-services.ts";
import { systemClock } from "../../src/platform/lib/clock.ts";
import { cli, type Printed } from "./cli.ts";
import { removeAtTheEnd } from "./remove-at-the-end.ts";
import { type TestApp, testApp } from "./test-app.ts";

const made: string[] = [];
removeAtTheEnd({
	keepsOpen: () => [],
	// After the services on them have ended.
	remove: async () => {
		for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
	},
});

/** A directory that goes when the tests are over. */
export function newDirectory(): string {
	const directory = mkdtempSync(join(tmpdir(), "footfall-backup-"));
	made.push(directory);
	return directory;
}

type Options = NonNullable<Parameters<typeof testApp>[0]> & { readonly dataDir: string };

/** The service on a directory, which it has locked as the real one does. */
export async function lockedApp(options: Options): Promise<TestApp> {
	const lock = await lockDirectory(options.dataDir);
	const app = await testApp(options);
	const close = () => app.close().then(lock.release);
	return { ...app, close, [Symbol.asyncDispose]: close };
}

/** The service on a directory, which commands with the same settings find as they find a process. */
export async function servedApp(options: Options, env: Readonly<Record<string, string>>): Promise<TestApp> {
	const app = await lockedApp(options);
	const address = await app.address();
	const remove = announceService({ dataDir: options.dataDir, roles: [], address, rootUrl: address, needs: [] }, env);
	const close = async () => {
		remove();
		await app.close();
	};
	return { ...app, close, [Symbol.asyncDispose]: close };
}

/** Runs a command beside a service, which does its jobs whenever the command waits. */
export async function beside(
	app: TestApp,
	args: readonly string[],
	env: Readonly<Record<string, string>> = {},
): Promise<Printed> {
	const { sleep } = systemClock;
	let waits = Promise.withResolvers<void>();
	const watched = mock.method(systemClock, "sleep", (...given: Parameters<typeof sleep>) => {
		waits.resolve();
		return sleep(...given);
	});
	let isOver = false;
	const ended = cli(args, { env: { NODE_ENV: "test", DATA_DIR: app.config.dataDir, ...env } }).finally(() => {
		watched.mock.restore();
		isOver = true;
		waits.resolve();
	});
	for (;;) {
		await waits.promise;
		if (isOver) return ended;
		waits = Promise.withResolvers();
		await app.jobs.runDue();
	}
}

/** The files of a place with backups, by what they are. */
export const filesOf = (place: string, kind: "part" | "state" | "backup"): string[] =>
	readdirSync(place).filter((name) => name.startsWith(`${kind}-`));
