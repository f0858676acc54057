import { ServiceError } from "../../errors/service-error.ts";
import { currentAsker } from "../../lib/asker.ts";
import type { Clock } from "../../lib/clock.ts";
import type { EventQuery, EventStore } from "../event-store.ts";
import { createTurns, isInteractive, type Turn, type TurnLimits, type Turns } from "./turns.ts";

const waits = { waiting: 1000, waitingOfTenant: 200, waitingOfAsker: 60 };
/** Answers that are read as a whole: as many at a time as the embedded engine takes. */
const QUERIES: TurnLimits = { places: 8, ofAskers: 7, ofTenant: 6, ofAsker: 3, ofBusyTenants: 6, ...waits };
/** Answers that are read piece by piece hold their place as long as their reader takes. */
const STREAMS: TurnLimits = { places: 4, ofAskers: 4, ofTenant: 3, ofAsker: 2, ofBusyTenants: 3, ...waits };

const LOOK_EVERY_MS = 500;
/** How long somebody waits for an answer: what is left when a question gets its place, it may run. */
const WAIT_MS = 30_000;
/** The least that a question may run: below a second its settings stay those of the engine, so that connections are used again. */
const STEP_MS = 1000;
/** How long a question is kept while the store does not answer anything. */
const SILENCE_MS = 5000;
const RETRY_SILENT_SECONDS = 30;

interface FairStoreDeps {
	readonly clock: Clock;
	/** When it was first found not to answer (`clock.monotonic()`); undefined while it answers. */
	readonly silentSince: () => number | undefined;
	/** Processors that the engine has; absent where a server shares them out. */
	readonly processors?: number | undefined;
}

/**
 * The store, with its places shared fairly between those who ask (`currentAsker`). Reads only: inserts and DDL are never
 * behind them. Queries without a waiting caller end, queued or running. On top of the errors of `EventStore`, a read
 * throws `service_unavailable` when too many wait, `gateway_timeout` when it has no answer in half a minute, waiting and running
 * together, unless it brings a time limit of its own, and `database_unavailable` five seconds after it was asked while the store does not answer.
 */
export function createFairStore(store: EventStore, deps: FairStoreDeps): EventStore {
	const { clock, processors } = deps;
	const queries: Places = { turns: createTurns(QUERIES, clock), isBounded: true, processors };
	const streams: Places = { turns: createTurns(STREAMS, clock), isBounded: false, processors };
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
	/** Whether waiting and running have one time limit: what is read piece by piece takes as long as its reader. */
	readonly isBounded: boolean;
	readonly processors: number | undefined;
}

/** Waits for a place; the signals of the query and of its caller end the wait. */
async function take<Q extends Query>({ turns, isBounded, processors }: Places, query: Q) {
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
	const seconds = isBounded ? secondsLeft(turn) : undefined;
	const settings = {
		...(threads !== undefined && { max_threads: threads }),
		...(seconds !== undefined && { max_execution_time: seconds }),
		...query.settings,
	};
	const own = Object.keys(settings).length > 0 ? { ...query, settings } : query;
	return { own: { ...own, signal: turn.end.signal }, leave };
}

/** Of the half minute of who looks at a screen, in whole seconds; undefined where the engine's own limit does. */
function secondsLeft(turn: Turn): number | undefined {
	const waited = (turn.startedAt ?? turn.since) - turn.since;
	if (!isInteractive(turn) || waited < STEP_MS) return undefined;
	return Math.floor(Math.max(STEP_MS, WAIT_MS - waited) / STEP_MS);
}

/** Threads of a question; undefined where the engine decides. Two are little faster than one for half as much work more, so a tenant's questions share them. */
function threadsOf({ isModest, besides }: Turn, processors: number | undefined): number | undefined {
	if (isModest) return 1;
	if (processors === undefined || besides === 0) return undefined;
	return Math.max(1, Math.floor(processors / (besides + 1)));
}

/** An aborted caller is answered immediately; the place is free when the engine has ended the query. */
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
