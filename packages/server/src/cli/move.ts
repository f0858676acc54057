import { statSync } from "node:fs";
import {
	accountsFromServer,
	accountsToServer,
	eventsFromServer,
	eventsToServer,
	type MovingDeps,
} from "../composition/moving.ts";
import { collectorId, collectorsAtWork } from "../features/collecting/collector-progress/index.ts";
import {
	copyAhead,
	type Moved,
	MoveError,
	moveFolder,
	moveRest,
	rolesAt,
	untilNoneIsStill,
} from "../features/operating/move/index.ts";
import { ConfigError, loadConfig } from "../platform/config/config.ts";
import { withSecretKey } from "../platform/config/secret-key.ts";
import { readStores, type StoreSettings, writeStores } from "../platform/config/stores-file.ts";
import { lockDirectory, tryLockFolder } from "../platform/files/lock-directory.ts";
import { systemClock } from "../platform/lib/clock.ts";
import { withResource } from "../platform/lib/with-resource.ts";
import { createLog } from "../platform/log/create-log.ts";
import { openMetadata } from "../platform/metadata/open-metadata.ts";
import { askService } from "./ask-service.ts";
import type { DefineCommand } from "./print-records.ts";
import { serviceOn } from "./settle-settings.ts";

/** How long the service may take to begin again on the other stores. */
const RESTART_MS = 120_000;
const LOOK_MS = 250;

interface MoveOptions {
	readonly check?: true;
	readonly copyOnly?: true;
}

/** `footfall move` */
export const define: DefineCommand = (command) => {
	command
		.option("--check", "check the targets without writing")
		.option("--copy-only", "copy data that no longer changes, without moving")
		.action((options: MoveOptions) => underMoveLock((deps) => move(deps, options)));
	command
		.command("back")
		.description("Move the data from PostgreSQL and ClickHouse back into the data directory")
		.action(() => underMoveLock(moveBack));
};

const tell = (line: string): void => void process.stdout.write(`${line}\n`);

async function underMoveLock(run: (deps: Omit<MovingDeps, "isOnlyLook">) => Promise<void>): Promise<void> {
	const config = withSecretKey(loadConfig(process.env));
	refuseOtherUser(config.dataDir);
	const own = tryLockFolder(moveFolder(config.dataDir));
	if (own === undefined) throw new MoveError("move_under_way", "Another move is running");
	await withResource(own, async () => {
		const isServed = rolesAt(config.dataDir).length > 0;
		// Where no service runs none may begin meanwhile.
		const lock = isServed ? undefined : await lockDirectory(config.dataDir);
		await withResource(lock, () => run({ config, log: createLog(config), isServed }));
	});
}

/** The service could not read files written by root. */
function refuseOtherUser(dataDir: string): void {
	const owner = statSync(dataDir).uid;
	if (process.getuid === undefined || process.getuid() === owner) return;
	const message = `DATA_DIR ${dataDir} belongs to the user ${owner}: run this command as that user, with sudo -u`;
	throw new MoveError("other_user", message);
}

async function move(given: Omit<MovingDeps, "isOnlyLook">, { check, copyOnly }: MoveOptions): Promise<void> {
	const deps = { ...given, isOnlyLook: check === true };
	const { config } = deps;
	const { moveDatabaseUrl, moveClickhouseUrl, moveClickhouseCluster } = config;
	if (moveDatabaseUrl === undefined && moveClickhouseUrl === undefined) {
		throw new ConfigError("Set the target in MOVE_DATABASE_URL, MOVE_CLICKHOUSE_URL, or both");
	}
	const accountsUrl = config.databaseUrl === undefined ? moveDatabaseUrl : undefined;
	const eventsUrl = config.clickhouseUrl === undefined ? moveClickhouseUrl : undefined;
	if (accountsUrl === undefined && eventsUrl === undefined)
		return tell("Nothing to move: all data is on servers already");
	await moveBy(deps, copyOnly === true, {
		accounts: accountsUrl === undefined ? undefined : () => accountsToServer(deps, accountsUrl),
		events: eventsUrl === undefined ? undefined : () => eventsToServer(deps, eventsUrl),
		stores: {
			...readStores(config.dataDir),
			...(accountsUrl !== undefined && { DATABASE_URL: accountsUrl }),
			...(eventsUrl !== undefined && { CLICKHOUSE_URL: eventsUrl }),
			...(eventsUrl !== undefined && moveClickhouseCluster !== undefined
				? { CLICKHOUSE_CLUSTER: moveClickhouseCluster }
				: {}),
		},
	});
}

async function moveBack(given: Omit<MovingDeps, "isOnlyLook">): Promise<void> {
	const deps = { ...given, isOnlyLook: false };
	const { config } = deps;
	const { databaseUrl, clickhouseUrl } = config;
	if (databaseUrl === undefined && clickhouseUrl === undefined) return tell("All data is in the data directory");
	const written = readStores(config.dataDir);
	refuseElsewhere({ DATABASE_URL: databaseUrl, CLICKHOUSE_URL: clickhouseUrl }, written);
	if (databaseUrl !== undefined) await refuseOthers(deps);
	await moveBy(deps, false, {
		accounts: databaseUrl === undefined ? undefined : () => accountsFromServer(deps),
		events: clickhouseUrl === undefined ? undefined : () => eventsFromServer(deps),
		stores: {},
	});
}

/** A setting that is made elsewhere would still be there when the service starts again. */
function refuseElsewhere(used: StoreSettings | Record<string, string | undefined>, written: StoreSettings): void {
	for (const [name, value] of Object.entries(used)) {
		if (value === undefined || written[name as keyof StoreSettings] === value) continue;
		throw new MoveError(
			"setting_elsewhere",
			`${name} is not what stores.env in DATA_DIR says: take it out of the service's other settings, write it there, and start the service again`,
		);
	}
}

/** Collectors of other machines cannot follow into a directory of this one. */
async function refuseOthers({ config }: Pick<MovingDeps, "config">): Promise<void> {
	const atWork = await withResource(await openMetadata(config), (metadata) =>
		collectorsAtWork({ metadata, clock: systemClock }),
	);
	const own = await collectorId(config.dataDir);
	const others = atWork.filter((id) => id !== own);
	if (others.length === 0) return;
	const message = `${others.length} collectors of other data directories use these stores: stop them, and wait five minutes`;
	throw new MoveError("others_at_work", message);
}

interface Plan {
	/** Ways to the targets; a store without one stays. */
	readonly accounts: (() => ReturnType<typeof accountsToServer>) | undefined;
	readonly events: (() => ReturnType<typeof eventsToServer>) | undefined;
	readonly stores: StoreSettings;
}

async function moveBy(deps: MovingDeps, isOnlyCopy: boolean, plan: Plan): Promise<void> {
	const { dataDir } = deps.config;
	const opened = new AsyncDisposableStack();
	try {
		const accounts = await plan.accounts?.();
		if (accounts !== undefined) opened.defer(accounts.close);
		const events = await plan.events?.();
		if (events !== undefined) opened.defer(events.close);
		if (deps.isOnlyLook) return tell("The targets can be used");
		const { isServed } = deps;
		const switchOver = () => writeStores(dataDir, plan.stores);
		const whole = { dataDir, accounts, events, isServed, clock: systemClock, tell, switchOver };
		await copyAhead(whole);
		if (isOnlyCopy) return;
		describe(await moveRest(whole), plan.stores);
	} finally {
		await opened.disposeAsync();
	}
	if (deps.isServed) await awaitService(dataDir);
	else tell("Start the service: it uses the new stores");
}

function describe({ accountRows, events, stillSeconds }: Moved, stores: StoreSettings): void {
	const place = (isOnServer: boolean, server: string) => (isOnServer ? server : "the data directory");
	if (accountRows !== undefined) {
		const where = place(stores.DATABASE_URL !== undefined, "PostgreSQL");
		tell(`Accounts and settings are in ${where}: ${accountRows.toLocaleString("en")} rows, the same in every table`);
	}
	if (events !== undefined) {
		const { rows, sites, days } = events;
		const of = [rows, sites, days].map((count) => count.toLocaleString("en"));
		const where = place(stores.CLICKHOUSE_URL !== undefined, "ClickHouse");
		tell(
			`Events are in ${where}: ${of[0]} rows of ${of[1]} sites on ${of[2]} days, counts and sums the same by site and day`,
		);
	}
	tell(`The service paused for ${stillSeconds} s. The old data stays where it is`);
}

/** The processes end and begin again by themselves. */
async function awaitService(dataDir: string): Promise<void> {
	const late = systemClock.deadline(RESTART_MS);
	try {
		await untilNoneIsStill(dataDir, late);
		while (!(await isReady(dataDir))) await systemClock.sleep(LOOK_MS, late);
		tell("The service is running on them");
	} catch (error) {
		if (!late.aborted) throw error;
		tell("The service has not restarted yet: check its log");
	}
}

async function isReady(dataDir: string): Promise<boolean> {
	const service = serviceOn(process.env, dataDir);
	if (service === undefined) return false;
	const answer = await askService(`${service.address}/readyz`).catch(() => undefined);
	return answer?.status === 200;
}
