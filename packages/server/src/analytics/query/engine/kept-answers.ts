import type { EventQuery, EventStore } from "../../../platform/event-store/event-store.ts";
import { type Asker, askedBy, currentAsker } from "../../../platform/lib/asker.ts";
import type { EventRevisions, Sites } from "./event-revisions.ts";

/** Work that several wait for and that runs once. */
interface SharedRun<Result> {
	/** False when all waiting callers have left and the work was ended. */
	readonly isWanted: boolean;
	/** The result for one more who waits: until their signal aborts, which rejects with its reason. */
	join(signal: AbortSignal | undefined): Promise<Result>;
}

/** Begins the work. It is ended when the signals of all waiting callers have aborted; a caller without a signal waits without limit. */
function shareRun<Result>(begin: (signal: AbortSignal) => Promise<Result>): SharedRun<Result> {
	const end = new AbortController();
	const result = begin(end.signal);
	// Waiting callers get the error; none may be left.
	result.catch(() => undefined);
	let waiting = 0;
	return {
		get isWanted() {
			return !end.signal.aborted;
		},
		join(signal) {
			waiting += 1;
			if (signal === undefined) return result;
			return new Promise((resolve, reject) => {
				const leave = () => {
					reject(signal.reason);
					waiting -= 1;
					if (waiting === 0) end.abort(signal.reason);
				};
				if (signal.aborted) return leave();
				signal.addEventListener("abort", leave, { once: true });
				result.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
			});
		},
	};
}

interface KeptAnswersOptions {
	readonly revisions: EventRevisions;
	/** Most that answers may take together, estimated; the ones not used for longest go first. 0 keeps none. */
	readonly maxBytes: number;
	/** Told where each answer came from: from memory, from the run of somebody else who asks the same now, or from the store. */
	readonly onAnswer?: (from: "memory" | "shared" | "store") => void;
}

type Rows = readonly object[];

interface KeptAnswer {
	readonly revision: string;
	readonly rows: Rows;
	readonly bytes: number;
}

/** One answer may take this share of the room. */
const LARGEST_SHARE = 1 / 8;

/**
 * The store, which answers a question again from memory while nothing was stored for its sites. Identical questions that
 * are asked at the same time are one run, under who asked first; it ends when all of them have gone. Streams, failures and
 * what is asked in the background are never kept. The rows of an answer belong to all who asked: they are frozen.
 */
export function keepAnswers(store: EventStore, options: KeptAnswersOptions): EventStore {
	const { revisions, maxBytes, onAnswer = () => {} } = options;
	if (maxBytes === 0) return store;
	const kept = new KeptAnswers(maxBytes);
	const running = new Map<string, SharedRun<Rows>>();

	const begin = (query: EventQuery, keep: (rows: Rows) => void, done: () => void): SharedRun<Rows> => {
		const asker = currentAsker();
		return shareRun(async (signal) => {
			try {
				const shared: Asker | undefined = asker && { ...asker, signal };
				const rows = Object.freeze(await askedBy(shared, () => store.query({ ...query, signal })));
				if (asker?.kind !== "background") keep(rows);
				return rows;
			} finally {
				done();
			}
		});
	};

	const answer = async (query: EventQuery): Promise<Rows> => {
		const revision = await revisions.of(sitesOf(query));
		if (revision === undefined) {
			onAnswer("store");
			return store.query(query);
		}
		const key = keyOf(query);
		const found = kept.get(key, revision);
		if (found !== undefined) {
			onAnswer("memory");
			return found;
		}
		// Queries of different kinds of callers run apart, so that a user never waits behind a program's lane.
		const runKey = [currentAsker()?.kind, revision, key].join("\n");
		let run = running.get(runKey);
		onAnswer(run?.isWanted ? "shared" : "store");
		if (!run?.isWanted) {
			const own = begin(
				query,
				(rows) => kept.set(key, { revision, rows, bytes: sizeOf(rows) + key.length }),
				() => running.get(runKey) === own && running.delete(runKey),
			);
			running.set(runKey, own);
			run = own;
		}
		return run.join(signalOf(query));
	};

	return { ...store, query: async <Row extends object>(query: EventQuery) => (await answer(query)) as Row[] };
}

class KeptAnswers {
	readonly #answers = new Map<string, KeptAnswer>();
	readonly #maxBytes: number;
	#bytes = 0;

	constructor(maxBytes: number) {
		this.#maxBytes = maxBytes;
	}

	/** The rows, which count as used; undefined when there are none, or when they are of another revision. */
	get(key: string, revision: string): Rows | undefined {
		const found = this.#answers.get(key);
		if (found?.revision !== revision) return undefined;
		this.#answers.delete(key);
		this.#answers.set(key, found);
		return found.rows;
	}

	set(key: string, answer: KeptAnswer): void {
		this.#drop(key);
		if (answer.bytes > this.#maxBytes * LARGEST_SHARE) return;
		this.#answers.set(key, answer);
		this.#bytes += answer.bytes;
		for (const oldest of this.#answers.keys()) {
			if (this.#bytes <= this.#maxBytes) break;
			this.#drop(oldest);
		}
	}

	#drop(key: string): void {
		this.#bytes -= this.#answers.get(key)?.bytes ?? 0;
		this.#answers.delete(key);
	}
}

const keyOf = ({ sql, params, settings }: EventQuery): string => JSON.stringify([sql, params, settings]);

/** The sites that a statement binds; all of them when it names none. */
function sitesOf({ params }: EventQuery): Sites {
	const bound = params?.site ?? params?.sites;
	if (typeof bound === "string") return [bound];
	return Array.isArray(bound) ? bound.map(String) : "all";
}

function signalOf({ signal }: EventQuery): AbortSignal | undefined {
	const signals = [signal, currentAsker()?.signal].filter((one) => one !== undefined);
	return signals.length > 1 ? AbortSignal.any(signals) : signals[0];
}

/** About as many bytes as a value takes in memory. */
function sizeOf(value: unknown): number {
	if (typeof value === "string") return 24 + value.length;
	if (typeof value !== "object" || value === null) return 16;
	let bytes = 40;
	for (const part of Object.values(value)) bytes += sizeOf(part);
	return bytes;
}
