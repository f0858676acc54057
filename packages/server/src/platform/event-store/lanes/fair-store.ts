import { ServiceError } from "../../errors/service-error.ts";
import { currentAsker } from "../../lib/asker.ts";
import type { Clock } from "../../lib/clock.ts";
import type { EventQuery, EventStore } from "../event-store.ts";
import { isInteractive, type Turn, type TurnLimits } from "./turn.ts";
import { createTurns, type Turns } from "./turns.ts";

const waits = { waiting: 1000, waitingOfTenant: 200, waitingOfAsker: 60 };
/** Answers that are read as a whole: as many at a time as the embedded engine takes. */
const QUERIES: TurnLimits = { places: 8, ofAskers: 7, ofTenant: 6, ofAsker: 3, ofBusyTenants: 6, ...waits };
/** Answers that are read piece by piece hold their place as long as their reader takes. */
const STREAMS: TurnLimits = { places: 4, ofAskers: 4, ofTenant: 3, ofAsker: 2, ofBusyTenants: 3, ...waits };

const LOOK_EVERY_MS = 500;
/** How long somebody waits for a place. */
const WAIT_MS = 30_000;
/** How long a question is kept while the store does not answer anything. */
const SILENCE_MS = 5000;
const RETRY_SILENT_SECONDS = 10;

/** What sharing a store needs to know of it. */
interface FairStoreDeps {
	readonly clock: Clock;
	/** When it was first found not to answer (`clock.monotonic()`); undefined while it answers. */
	readonly silentSince: () => number | undefined;
	/** Processors that the engine has; absent where a server shares them out. */
	readonly processors?: number | undefined;
}

/**
 * The store, with its places shared fairly between those who ask (`currentAsker`). Reads only: inserts and DDL are never
 * behind them. What nobody waits for any more ends, waiting or running. On top of the errors of `EventStore`, a read
 * throws `service_unavailable` when too many wait, `gateway_timeout` when it got no place in half a minute, and
 * `database_unavailable` five seconds after it was asked while the store does not answer.
 */
export function createFairStore(store: EventStore, deps: FairStoreDeps): EventStore {
	const { clock, processors } = deps;
	const queries: Places = { turns: createTurns(QUERIES, clock), processors };
	const streams: Places = { turns: createTurns(STREAMS, clock), processors };
	const stopLooking = clock.every(LOOK_EVERY_MS, () => {
		for (const { turns } of [queries, streams]) endOverdue(turns, clock.monotonic(), deps.silentSince());
	});

	return {
		...store,
		query: (query) => inTurn(queries, query, (own) => store.query(own)),
		stream: <Row extends object>(query: EventQuery) => streamInTurn(streams, query, (own) => store.stream<Row>(own)),
		streamBytes: (query) => streamInTurn(streams, query, (own) => store.streamBytes(own)),
		close: () => {
			stopLooking();
			return store.close();
		},
	};
}

type Query = Pick<EventQuery, "signal" | "settings">;

interface Places {
	readonly turns: Turns;
	readonly processors: number | undefined;
}

/** Waits for a place; what the question's own signal and its asker's end is ended. */
async function take<Q extends Query>({ turns, processors }: Places, query: Q) {
	const asker = currentAsker();
	const signals = [query.signal, asker?.signal].filter((signal) => signal !== undefined);
	for (const signal of signals) signal.throwIfAborted();
	const { turn, begun } = turns.enter(asker);
	const stops = signals.map((signal) => follow(signal, turn.end));
	const leave = () => {
		for (const stop of stops) stop();
		turns.leave(turn);
	};
	try {
		await begun;
	} catch (error) {
		leave();
		throw error;
	}
	const threads = threadsOf(turn, processors);
	const settings = threads === undefined ? query.settings : { max_threads: threads, ...query.settings };
	return { own: { ...query, ...(settings && { settings }), signal: turn.end.signal }, leave };
}

/**
 * How many threads a question has; undefined where the engine decides. Two threads answer in little less time than one and
 * work half as much again: questions of a tenant that run side by side, such as those of a batch, have the processors together.
 */
function threadsOf({ isModest, besides }: Turn, processors: number | undefined): number | undefined {
	if (isModest) return 1;
	if (processors === undefined || besides === 0) return undefined;
	return Math.max(1, Math.floor(processors / (besides + 1)));
}

/** Who has aborted hears of it at once; the place is free when the engine has let go of the query. */
async function inTurn<Q extends Query, T>(places: Places, query: Q, run: (own: Q) => Promise<T>): Promise<T> {
	const { own, leave } = await take(places, query);
	const aborted = Promise.withResolvers<never>();
	const abort = () => aborted.reject(own.signal.reason);
	own.signal.addEventListener("abort", abort, { once: true });
	const ended = run(own).finally(leave);
	try {
		return await Promise.race([ended, aborted.promise]);
	} finally {
		own.signal.removeEventListener("abort", abort);
	}
}

async function* streamInTurn<Q extends Query, T>(places: Places, query: Q, run: (own: Q) => AsyncIterable<T>) {
	const { own, leave } = await take(places, query);
	try {
		yield* run(own);
	} finally {
		leave();
	}
}

/** Aborts `end` with the signal; the answer undoes that. */
function follow(signal: AbortSignal, end: AbortController): () => void {
	const abort = () => end.abort(signal.reason);
	signal.addEventListener("abort", abort, { once: true });
	return () => signal.removeEventListener("abort", abort);
}

function endOverdue(turns: Turns, now: number, silentSince: number | undefined): void {
	for (const turn of [...turns.all()]) {
		if (silentSince !== undefined && now - Math.max(turn.since, silentSince) >= SILENCE_MS) {
			turn.end.abort(new ServiceError("database_unavailable", { retryAfter: RETRY_SILENT_SECONDS }));
		} else if (isOverdue(turn, now)) {
			turn.end.abort(tooBusy());
		}
	}
}

const tooBusy = () =>
	new ServiceError("gateway_timeout", { message: "The event store was too busy for this question", isOurs: false });

const isOverdue = (turn: Turn, now: number) =>
	isInteractive(turn) && turn.startedAt === undefined && now - turn.since >= WAIT_MS;
