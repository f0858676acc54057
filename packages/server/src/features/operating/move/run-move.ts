import { differingSums, type StoredSums, storedSums } from "../../../analytics/query/reports/stored-sums.ts";
import { type Clock, systemClock } from "../../../platform/lib/clock.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { utcDay } from "../../../platform/lib/timestamp.ts";
import { orUndo } from "../../../platform/lib/with-resource.ts";
import { copyRows, differingTables } from "../../../platform/metadata/copy-rows.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { withStillMetadata } from "../../../platform/metadata/open-snapshot.ts";
import { copyEvents, differingDays, type EventCopying, type EventDay, type EventPlace } from "./copy-events.ts";
import { type Hold, wishHold } from "./hold-locks.ts";
import { MoveError } from "./move-error.ts";

const LOOK_MS = 100;
/** Requests and jobs that write are waited for. */
const STILL_MS = 180_000;

/** A service that changes nothing in its stores. */
interface StillService {
	/** Aborts when a process of it no longer keeps still, as it was started again. */
	readonly signal: AbortSignal;
	/** Throws unless all its processes keep still. */
	check(): void;
	release(): void;
}

/** Has the service of a data directory keep still. Throws a `MoveError` when it does not. */
async function holdService(dataDir: string): Promise<StillService> {
	const hold = await wishHold(dataDir);
	await orUndo(hold.release, () => untilStill(hold));
	const lost = new AbortController();
	const check = () => {
		const [missing] = hold.missing();
		if (missing === undefined) return;
		const message = `A process of the service (${missing}) was started again meanwhile: nothing has moved, run it once more`;
		throw new MoveError("service_restarted", message);
	};
	const stopLooking = systemClock.every(LOOK_MS, () => {
		try {
			check();
		} catch (error) {
			lost.abort(error);
		}
	});
	return {
		signal: lost.signal,
		check,
		release: () => {
			stopLooking();
			hold.release();
		},
	};
}

async function untilStill(hold: Hold): Promise<void> {
	if (hold.roles.length > 0 && !hold.roles.includes("collect")) {
		const message =
			"Hits may wait in the spool, and no process with the role collect runs: start it, or end the others";
		throw new MoveError("collector_away", message);
	}
	const until = systemClock.monotonic() + STILL_MS;
	for (let missing = hold.missing(); missing.length > 0; missing = hold.missing()) {
		if (systemClock.monotonic() >= until) {
			const message = `The service does not come to rest (${missing.join(", ")}): its log says more. Nothing has moved`;
			throw new MoveError("service_not_still", message);
		}
		await systemClock.sleep(LOOK_MS);
	}
}

/** Days of which rows may still come: of every time zone, and a day to be sure. */
const YOUNG_MS = 2 * DAY_MS;
/** Most differences that are printed; there may be thousands. */
const TOLD = 20;

/** Accounts that move: where they are, and the open store that they move to. */
export interface AccountsMove {
	readonly from: { readonly dataDir: string; readonly databaseUrl?: string | undefined };
	readonly to: Metadata;
}

export interface EventsMove {
	readonly from: EventPlace;
	readonly to: EventPlace;
	/** Where no service runs: brings what waits in the spool into the store that is left. */
	readonly emptySpool: () => Promise<void>;
	close(): Promise<void>;
}

export interface Move {
	readonly dataDir: string;
	readonly accounts: AccountsMove | undefined;
	readonly events: EventsMove | undefined;
	/** True while a service works on the directory. */
	readonly isServed: boolean;
	readonly clock: Clock;
	readonly tell: (line: string) => void;
	/** Notes where the stores are now: from then on they are there. */
	readonly switchOver: () => Promise<void>;
}

export interface Moved {
	/** Of all tables of accounts and settings. */
	readonly accountRows: number | undefined;
	/** Of the table of events. */
	readonly events: { readonly rows: number; readonly sites: number; readonly days: number } | undefined;
	/** Seconds for which the service kept still. */
	readonly stillSeconds: number;
}

const shown = (count: number): string => count.toLocaleString("en");

/** Copies the days to which nothing comes any more, while the service works as ever. May be repeated, and interrupted. */
export async function copyAhead({ events, clock, tell }: Pick<Move, "events" | "clock" | "tell">): Promise<void> {
	if (events === undefined) return;
	const before = utcDay(clock.now() - YOUNG_MS);
	const copying = copyingOf(events, tell, { clock, threads: 1, signal: new AbortController().signal });
	await copyEvents(copying, { before, today: utcDay(clock.now()) });
	tell(`The events of the days before ${before} are there`);
}

/** Holds the service, copies the rest, compares everything, and switches. Throws before the switch: `differs` names what is not the same. */
export async function moveRest(move: Move): Promise<Moved> {
	const began = move.clock.monotonic();
	if (move.isServed) move.tell("The service comes to rest: hits are taken, and wait in the spool");
	const still = move.isServed ? await holdService(move.dataDir) : nobody;
	try {
		if (!move.isServed) await move.events?.emptySpool();
		const accountRows = await moveAccounts(move.accounts, async () => {
			const events = await moveEvents(move, still);
			await move.events?.close();
			still.check();
			await move.switchOver();
			return events;
		});
		const stillSeconds = Number(((move.clock.monotonic() - began) / 1000).toFixed(1));
		return { accountRows: accountRows.rows, events: accountRows.after, stillSeconds };
	} finally {
		still.release();
	}
}

/** Where no service runs. */
const nobody: StillService = {
	signal: new AbortController().signal,
	check: () => undefined,
	release: () => undefined,
};

/** `after` runs while the old accounts are locked for writes. */
async function moveAccounts<T>(accounts: AccountsMove | undefined, after: () => Promise<T>) {
	if (accounts === undefined) return { rows: undefined, after: await after() };
	return withStillMetadata(accounts.from, async (from) => {
		const counts = await copyRows(from, accounts.to);
		const tables = await differingTables(from, accounts.to);
		refuseDifferences(
			tables.map(
				({ table, expected, found }) => `table ${table}: ${found} rows in place of ${expected}, or other ones`,
			),
		);
		return { rows: [...counts.values()].reduce((sum, count) => sum + count, 0), after: await after() };
	});
}

async function moveEvents({ events, clock, tell }: Move, { signal }: StillService): Promise<Moved["events"]> {
	if (events === undefined) return undefined;
	const asked = { exactFrom: utcDay(clock.now() - YOUNG_MS - DAY_MS), today: utcDay(clock.now()) };
	const copying = copyingOf(events, tell, { clock, threads: 0, signal });
	await copyEvents(copying, asked);
	const [wanted, found] = await Promise.all([storedSums(events.from.store, "day"), storedSums(events.to.store, "day")]);
	refuseDifferences(differingSums(wanted, found));
	refuseDifferences(await differingDays(copying, asked));
	return totals(found);
}

function refuseDifferences(lines: readonly string[]): void {
	if (lines.length === 0) return;
	const more = lines.length > TOLD ? [`and ${shown(lines.length - TOLD)} more`] : [];
	const text = ["What was copied is not the same:", ...lines.slice(0, TOLD), ...more, "Nothing has moved"].join("\n");
	throw new MoveError("differs", text);
}

const totals = (sums: readonly StoredSums[]): Moved["events"] => ({
	rows: sums.reduce((total, { rows }) => total + rows, 0),
	sites: new Set(sums.map(({ site }) => site)).size,
	days: new Set(sums.map(({ period }) => period)).size,
});

const copyingOf = (
	{ from, to }: EventsMove,
	tell: Move["tell"],
	how: Pick<EventCopying, "clock" | "threads" | "signal">,
): EventCopying => ({
	...how,
	from,
	to,
	onCopied: (table, days) =>
		tell(`${table} ${spanOf(days)}: ${shown(days.reduce((sum, { rows }) => sum + rows, 0))} rows`),
});

function spanOf(days: readonly EventDay[]): string {
	const [first, last] = [days[0]?.day, days.at(-1)?.day];
	const of = days[0]?.importId === "" ? "" : ` of the import ${days[0]?.importId}`;
	return (first === last ? `${first}` : `${first} to ${last}`) + of;
}
