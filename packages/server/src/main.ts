import { resolve } from "node:path";
import type { Logger } from "pino";
import { openStores } from "./composition/stores.ts";
import { type FollowDeps, followMoves, untilNoHold } from "./features/operating/move/index.ts";
import { adviceFor } from "./platform/config/advice.ts";
import { loadConfig } from "./platform/config/config.ts";
import { allRoles, isWhole, type Role } from "./platform/config/roles.ts";
import { type ReadyConfig, withSecretKey } from "./platform/config/secret-key.ts";
import { readStores, withStores } from "./platform/config/stores-file.ts";
import { isRoleTaken, lockDirectory, lockRoles } from "./platform/files/lock-directory.ts";
import { announceService } from "./platform/files/running-services.ts";
import { systemClock } from "./platform/lib/clock.ts";
import { releaseMemory } from "./platform/lib/memory.ts";
import { within } from "./platform/lib/within.ts";
import { createLog, logWritten } from "./platform/log/create-log.ts";
import { describeCause } from "./platform/log/describe-cause.ts";

/** Milliseconds after which the process ends in any case. */
const CLOSE_TIMEOUT = 5000;
/** Milliseconds that the stores may take to close, once everything else is. */
const STORES_CLOSE_TIMEOUT = 1000;
/** Milliseconds that a reader of the log may take for its last lines. */
const LOG_TIMEOUT = 1000;
/** A terminal and npm each pass on one Ctrl-C: two signals within these milliseconds are one wish. */
const SAME_SIGNAL = 300;

/** How long after the start the memory that it took is given back. */
const RELEASE_AFTER_MS = 2000;

/** Runs the service until SIGTERM or SIGINT. Throws when it cannot start; everything is closed then. */
export async function main(env: Readonly<Record<string, string | undefined>>): Promise<void> {
	// Everything below DATA_DIR is for this user alone: accounts, hits, secrets.
	process.umask(0o077);
	const given = withSecretKey(loadConfig(env));
	const log = createLog(given);
	// Open resources in the order of opening; closed in reverse order, each whatever the result of the others.
	const open: (() => Promise<void>)[] = [];
	const close = async () => {
		const failures: unknown[] = [];
		for (let next = open.pop(); next !== undefined; next = open.pop()) {
			await next().catch((error: unknown) => failures.push(error));
		}
		if (failures.length > 0) throw failures[0];
	};
	closeAtTheEnd(close, log);
	try {
		const { dataDir, roles } = given;
		const lock = await (isWhole(given) ? lockDirectory(dataDir) : lockRoles(dataDir, roles));
		open.push(async () => lock.release());
		// Afterwards where the stores are: they may just have moved.
		await untilNoHold(dataDir, log);
		const config = withSecretKey(loadConfig(withStores(env, dataDir)));
		const opening = openStores(config, log, { isPatient: roles.includes("collect") });
		open.push(() =>
			opening.then(
				(stores) => stores.close(STORES_CLOSE_TIMEOUT),
				() => undefined,
			),
		);
		// Loaded while the event store's process starts: the two take about the same time.
		const [{ buildApp }, { createFirstRunLink }, { checkClock }, { listen }] = await Promise.all([
			import("./composition/app.ts"),
			import("./features/people/auth/index.ts"),
			import("./features/operating/processes/index.ts"),
			import("./listen.ts"),
		]);
		const stores = await opening;
		if (config.databaseUrl !== undefined && stores.accountTables.isReady)
			await checkClock(stores.metadata, systemClock);
		const service = await buildApp({ config, clock: systemClock, log, ...stores });
		open.push(service.close);
		const { address, rootUrl, close: closePlain } = await listen(service, config);
		open.push(closePlain);
		if (roles.includes("jobs")) service.jobs.start();
		const isFirstRunLinkDue = roles.includes("api") && stores.accountTables.isReady;
		const firstRun = { metadata: stores.metadata, clock: systemClock, rootUrl };
		const firstRunLink = isFirstRunLinkDue ? await createFirstRunLink(firstRun) : undefined;
		open.push(announce({ config, address, rootUrl }, env, log));
		open.push(follow(config, service.hold, { log, startAgain: () => startOver(close, log) }));
		for (const { variable, message } of adviceFor(config)) log.warn({ setting: variable }, message);
		for (const role of missingRoles(config)) {
			log.warn({ setting: "ROLES" }, `No process with DATA_DIR ${resolve(config.dataDir)} has the role ${role} yet`);
		}
		process.stdout.write(welcome({ config, rootUrl, firstRunLink }));
		systemClock.after(RELEASE_AFTER_MS, releaseMemory);
	} catch (error) {
		// Fires only where something keeps a process alive that will never serve anybody.
		systemClock.after(CLOSE_TIMEOUT, () => {
			log.error({ cause: describeCause(error) }, "The service did not start, and not all of it could be closed");
			process.exit(1);
		});
		await close().catch((failure: unknown) => {
			log.error({ cause: describeCause(failure) }, "Resources could not be closed");
		});
		throw error;
	}
}

/** Comes to rest while a move wants it, and starts again when the stores have moved. */
function follow(
	{ dataDir, roles }: ReadyConfig,
	hold: FollowDeps["hold"],
	around: Pick<FollowDeps, "log" | "startAgain">,
): () => Promise<void> {
	const began = JSON.stringify(readStores(dataDir));
	const hasMoved = () => JSON.stringify(readStores(dataDir)) !== began;
	const stop = followMoves({ ...around, dataDir, roles, hold, hasMoved });
	return async () => stop();
}

const lastLines = () => within(systemClock, LOG_TIMEOUT, logWritten()).catch(() => undefined);

/** Ends everything in order and runs the program again in the place of this process, under the same number. */
async function startOver(close: () => Promise<void>, log: Logger): Promise<never> {
	log.info({}, "The stores have moved; the service starts again on them");
	try {
		await within(systemClock, CLOSE_TIMEOUT, close());
	} catch (error) {
		log.error({ cause: describeCause(error) }, "Resources could not be closed");
	}
	await lastLines();
	process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], process.env);
	process.exit(1);
}

/** Roles that no other process on the same directory has. */
const missingRoles = ({ dataDir, roles, databaseUrl }: ReadyConfig): Role[] =>
	databaseUrl === undefined ? allRoles.filter((role) => !roles.includes(role) && !isRoleTaken(dataDir, role)) : [];

/** Tells commands where the service is; it works without that. */
function announce(
	{ config, address, rootUrl }: { config: ReadyConfig; address: string; rootUrl: string },
	env: Readonly<Record<string, string | undefined>>,
	log: Logger,
): () => Promise<void> {
	const needs = ["DATABASE_URL", "CLICKHOUSE_URL", "SECRET_KEY"].filter((name) => (env[name] ?? "").trim() !== "");
	try {
		const roles = isWhole(config) ? [] : config.roles;
		const remove = announceService({ dataDir: resolve(config.dataDir), roles, address, rootUrl, needs }, env);
		return async () => remove();
	} catch (error) {
		log.warn({ cause: describeCause(error) }, "The service could not record its location: commands need DATA_DIR");
		return async () => undefined;
	}
}

function welcome(of: {
	readonly config: ReadyConfig;
	readonly rootUrl: string;
	readonly firstRunLink: string | undefined;
}): string {
	const { roles, dataDir } = of.config;
	const lines = [
		`  Footfall is running at  ${of.rootUrl}`,
		...(roles.includes("api") ? [`  API reference           ${of.rootUrl}/docs`] : []),
		...(isWhole(of.config) ? [] : [`  Roles                   ${roles.join(", ")}`]),
		`  Data                    ${resolve(dataDir)}`,
		...(of.firstRunLink === undefined ? [] : ["", "  Create the first account:", `  ${of.firstRunLink}`]),
	];
	return `\n${lines.join("\n")}\n\n`;
}

/**
 * On SIGTERM, SIGINT and uncaught exceptions accepts no more, answers what is there, makes every hit safe, then closes the stores. A
 * second signal exits at once.
 */
function closeAtTheEnd(close: () => Promise<void>, log: Logger): void {
	let closingSince: number | undefined;
	let exitCode = 0;
	const end = () => {
		closingSince = systemClock.monotonic();
		systemClock.after(CLOSE_TIMEOUT, () => {
			log.error("The service did not stop in time");
			process.exit(1);
		});
		void close()
			.catch((error: unknown) => {
				log.error({ cause: describeCause(error) }, "The service did not stop cleanly");
				exitCode = 1;
			})
			.then(lastLines)
			.then(() => process.exit(exitCode));
	};
	const onSignal = () => {
		if (closingSince === undefined) end();
		else if (systemClock.monotonic() - closingSince > SAME_SIGNAL) process.exit(1);
	};
	process.on("SIGTERM", onSignal);
	process.on("SIGINT", onSignal);
	process.on("uncaughtException", (error) => {
		log.fatal({ cause: describeCause(error) }, "The service stops: uncaught exception");
		exitCode = 1;
		if (closingSince === undefined) end();
	});
}
