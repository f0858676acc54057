import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockDirectory } from "../../src/platform/files/lock-directory.ts";
import { command, type Printed } from "./command.ts";
import { removeAtTheEnd } from "./remove-at-the-end.ts";
import { type TestApp, testApp } from "./test-app.ts";
import { until } from "./until.ts";

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

/** The service on a directory, which it has locked as the real one does. */
export async function lockedApp(
	options: NonNullable<Parameters<typeof testApp>[0]> & { dataDir: string },
): Promise<TestApp> {
	const lock = await lockDirectory(options.dataDir);
	const app = await testApp(options);
	const close = async () => {
		await app.close();
		lock.release();
	};
	return { ...app, close, [Symbol.asyncDispose]: close };
}

/** Runs a command beside a service, which does its jobs meanwhile. */
export async function beside(
	app: TestApp,
	args: readonly string[],
	env: Readonly<Record<string, string>> = {},
): Promise<Printed> {
	let printed: Printed | undefined;
	const running = command(args, { env: { NODE_ENV: "test", DATA_DIR: app.config.dataDir, ...env } }).then((all) => {
		printed = all;
	});
	await until(async () => {
		await app.jobs.runDue();
		return printed !== undefined;
	});
	await running;
	if (printed === undefined) throw new Error("The command did not end");
	return printed;
}

/** The files of a place with backups, by what they are. */
export const filesOf = (place: string, kind: "part" | "state" | "backup"): string[] =>
	readdirSync(place).filter((name) => name.startsWith(`${kind}-`));
