/** That all processes on one PostgreSQL are set up alike. */

import { hostname } from "node:os";
import { type Config, ConfigError, fieldOf } from "../../../platform/config/config.ts";
import { variables } from "../../../platform/config/variables.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { Readiness } from "../../../platform/lib/readiness.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { databaseNow, deleteProcess, deleteUnseen, eventStoreName, selectEarlier, upsertProcess } from "./store.ts";

/** A process that was not seen for so long counts as ended. */
const GONE_MS = 5 * MINUTE_MS;
/** The event store among the settings, by a name of its own: processes may reach one by different addresses. */
const STORE = "event store";
/** Beyond it hits would be stored at another hour, and tokens of other processes be refused. */
const MAX_CLOCK_DIFFERENCE_MS = MINUTE_MS;

interface JoinDeps {
	readonly directoryId: string;
	readonly config: Config;
	readonly metadata: Metadata;
	readonly eventStore: EventStore;
	readonly tables: readonly Readiness[];
	readonly clock: Clock;
	readonly log: Log;
}

/**
 * Notes, now and every minute, that this process runs and with which of the settings that all processes have to share. The answer
 * unregisters it. Throws `ConfigError` naming the setting in which it differs from a process that started earlier; where a store is away
 * at the start, such a difference is logged once it is back.
 */
export async function joinProcesses(deps: JoinDeps): Promise<() => Promise<void>> {
	if (deps.tables.every(({ isReady }) => isReady)) return join(deps);
	let leave: (() => Promise<void>) | undefined;
	let isOver = false;
	const joinLate = async () => {
		await Promise.all(deps.tables.map(({ whenReady }) => whenReady));
		if (!isOver) leave = await join(deps);
	};
	joinLate().catch((error: unknown) => {
		const reason = error instanceof ConfigError ? { reason: error.message } : {};
		deps.log.error({ ...reason, cause: describeCause(error) }, "This process could not be compared with the others");
	});
	return async () => {
		isOver = true;
		await leave?.();
	};
}

async function join(deps: JoinDeps): Promise<() => Promise<void>> {
	const { directoryId, config, metadata, clock, log } = deps;
	const id = `${directoryId} ${config.roles.join(",")}`;
	const store = config.clickhouseUrl === undefined ? directoryId : await eventStoreName(deps.eventStore);
	const settings = { ...sharedSettings(config), [STORE]: store };
	const row = { id, host: hostname(), settings: JSON.stringify(settings), started_at: clock.now() };
	const note = () => upsertProcess(metadata, { ...row, seen_at: clock.now() });
	// Noted first: of two processes that start at once the later one finds the other.
	await note();
	const earlier = await selectEarlier(metadata, row, clock.now() - GONE_MS);
	const difference = earlier.map((other) => differenceFrom(other, settings)).find((text) => text !== undefined);
	if (difference !== undefined && !config.allowDifferentSettings) {
		await deleteProcess(metadata, id);
		throw new ConfigError(
			`${difference}: give all processes on DATABASE_URL the same, or set ALLOW_DIFFERENT_SETTINGS=true while you change them one by one`,
		);
	}
	if (difference !== undefined) log.warn({ reason: difference }, "This process is not set up as the others are");
	const renew = async () => {
		await note();
		await deleteUnseen(metadata, clock.now() - GONE_MS);
	};
	const stop = clock.every(MINUTE_MS, () => {
		renew().catch((error: unknown) =>
			log.warn({ cause: describeCause(error) }, "That this process runs could not be noted"),
		);
	});
	return async () => {
		stop();
		// Without its word it counts as ended five minutes later.
		await deleteProcess(metadata, id).catch(() => undefined);
	};
}

function sharedSettings(config: Config): Record<string, string> {
	const values: Readonly<Record<string, unknown>> = config;
	return Object.fromEntries(
		Object.entries(variables).flatMap(([name, variable]) => {
			if (!("shared" in variable)) return [];
			const value = values[fieldOf(name)];
			return [
				[name, variable.shared === "value" ? JSON.stringify(value ?? null) : value === undefined ? "not set" : "set"],
			];
		}),
	);
}

/** The first setting in which this process differs from another, in a sentence. */
function differenceFrom(
	{ host, settings }: { readonly host: string; readonly settings: string },
	own: Readonly<Record<string, string>>,
): string | undefined {
	const theirs: Readonly<Record<string, string>> = JSON.parse(settings);
	// A release before or after this one may share other settings.
	const name = Object.keys(own).find((key) => theirs[key] !== undefined && theirs[key] !== own[key]);
	if (name === undefined) return undefined;
	if (name === STORE) return `The events of CLICKHOUSE_URL or DATA_DIR are not those of the process on ${host}`;
	return `${name} is ${own[name]} here, and ${theirs[name]} for the process on ${host}`;
}

/** Throws `ConfigError` when this machine's clock and that of PostgreSQL's machine are more than a minute apart. */
export async function checkClock(metadata: Metadata, clock: Clock): Promise<void> {
	const difference = clock.now() - (await databaseNow(metadata));
	if (Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_MS) return;
	const seconds = Math.round(Math.abs(difference) / 1000);
	throw new ConfigError(
		`The clock of this machine is ${seconds} s ${difference > 0 ? "ahead of" : "behind"} that of DATABASE_URL's: let both follow a time server (NTP)`,
	);
}
