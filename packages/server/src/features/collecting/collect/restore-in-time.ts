import type { EventQuery, EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Log } from "../../../platform/log/log.ts";
import { restoreClickIds, restoreSessions } from "./restore-sessions.ts";
import type { SessionStore } from "./sessions/session-store.ts";
import type { Loader } from "./spool/loader.ts";

/** How long hits wait for the sessions of an earlier run. */
const RESTORE_MS = 10_000;
const DRAIN_PAUSE_MS = 50;

interface RestoringDeps {
	readonly clock: Clock;
	readonly store: EventStore;
	/** Resolves when the event store can be asked. */
	readonly storeReady: Promise<void>;
	readonly loader: Pick<Loader, "flush" | "isDrained">;
	readonly sessions: SessionStore;
	/** How long a session lives without a hit, ms. */
	readonly timeoutMs: number;
	readonly log: Log;
	/** Aborted when the collector closes. */
	readonly ending: AbortSignal;
}

/**
 * Puts back the sessions and click ids of an earlier run; resolves when that is done, or has taken so long that running
 * sessions have to begin anew. Click ids may also come later: most of the hits that they belong to are still to come.
 */
export async function restoreInTime(deps: RestoringDeps): Promise<void> {
	const { clock, store, storeReady, ending, log } = deps;
	const now = clock.now();
	const late = new AbortController();
	const cancel = clock.after(RESTORE_MS, () => late.abort());
	const signal = AbortSignal.any([late.signal, ending]);
	const clickIds = storeReady.then(() => restoreClickIds({ ...deps, store: abortable(store, ending) }, now));
	const live = storeReady
		.then(() => drain(deps, signal))
		.then(() => restoreSessions({ ...deps, store: abortable(store, signal) }, now));
	clickIds.catch(() => ending.aborted || log.warn({}, "click ids of an earlier run could not be read"));
	try {
		await Promise.race([Promise.all([clickIds, live]), rejectedBy(signal)]);
	} catch {
		if (!ending.aborted) log.warn({}, "the event store does not answer in time; running sessions begin anew");
	} finally {
		cancel();
		late.abort();
	}
}

/** Sessions are restored from the event store alone, so what was spooled has to be there first. */
async function drain({ clock, loader }: Pick<RestoringDeps, "clock" | "loader">, signal: AbortSignal): Promise<void> {
	while (!loader.isDrained) {
		signal.throwIfAborted();
		await loader.flush();
		if (!loader.isDrained) await clock.sleep(DRAIN_PAUSE_MS, signal);
	}
}

/** The store with queries that end with a signal. */
const abortable = (store: EventStore, signal: AbortSignal): Pick<EventStore, "query" | "stream"> => ({
	query: <Row extends object>(query: EventQuery) => store.query<Row>({ ...query, signal }),
	stream: <Row extends object>(query: EventQuery) => store.stream<Row>({ ...query, signal }),
});

function rejectedBy(signal: AbortSignal): Promise<never> {
	const { promise, reject } = Promise.withResolvers<never>();
	if (signal.aborted) reject(signal.reason);
	else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
	return promise;
}
