import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { mock } from "node:test";
import { ServiceError } from "../../src/platform/errors/service-error.ts";
import { lockDirectory } from "../../src/platform/files/lock-directory.ts";
import { announceService } from "../../src/platform/files/running-services.ts";
import { systemClock } from "../../src/platform/lib/clock.ts";
import { createSite, signIn } from "./accounts.ts";
import { cli, type Printed } from "./cli.ts";
import { sendHit, sendHits } from "./hits.ts";
import { refusingInserts } from "./model-store.ts";
import { type TestApp, testApp } from "./test-app.ts";

export { newDirectory } from "./new-directory.ts";

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

/** A service that ends with a hit that is stored and one that waits for the event store; the id of their site. */
export async function endWithWaitingHit(
	open: (options: Parameters<typeof testApp>[0]) => Promise<TestApp>,
): Promise<string> {
	let isAway = false;
	const away = () => (isAway ? new ServiceError("database_unavailable") : undefined);
	const app = await open({ wrapEventStore: refusingInserts(away) });
	const site = await createSite(app, await signIn(app));
	await sendHits(app, [{ site, url: "https://shop.example/stored" }]);
	isAway = true;
	assert.equal(await sendHit(app, { site, url: "https://shop.example/waiting" }), 204);
	await app.close();
	return site;
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
