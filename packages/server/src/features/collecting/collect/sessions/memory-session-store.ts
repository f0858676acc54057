import { getHeapStatistics } from "node:v8";
import { type SessionDimensions, sessionColumns } from "../../../../analytics/model/event-row.ts";
import { LruMap } from "../../../../platform/lib/lru-map.ts";
import { AgingMap } from "./aging-map.ts";
import { ClickIdMemory, type ClickIdSight, clickIdDigest } from "./click-id-memory.ts";
import {
	type Decide,
	isLive,
	isSameState,
	isYounger,
	LastTimes,
	type LiveSession,
	type SessionState,
	type SessionStore,
	type VisitorIds,
} from "./session-store.ts";

/** Below this length the engine copies by itself; from it on a part of a text keeps the whole text alive. */
const SLICED_FROM = 13;
/** Longer texts are rarely the same. */
const SHARED_UP_TO = 100;
const SHARED_TEXTS = 10_000;
/** Header and padding of a text. */
const TEXT_BYTES = 24;
/** The objects of a session, their numbers and short texts, and its place in the map. */
const SESSION_BYTES = 800;
/** A fingerprint in a list. */
const NUMBER_BYTES = 8;

/** Copies the texts of sessions, so that none keeps the request alive that it was cut from; common ones are shared. */
class SessionTexts {
	readonly #shared = new LruMap<string, string>(SHARED_TEXTS);

	own(dimensions: SessionDimensions): SessionDimensions {
		const owned: { -readonly [Column in keyof SessionDimensions]: SessionDimensions[Column] } = { ...dimensions };
		for (const column of sessionColumns) if (column !== "device") owned[column] = this.#text(owned[column]);
		return owned;
	}

	#text(text: string): string {
		if (text.length < SLICED_FROM) return text;
		if (text.length > SHARED_UP_TO) return copyOf(text);
		const known = this.#shared.get(text);
		if (known !== undefined) return known;
		const copy = copyOf(text);
		this.#shared.set(copy, copy);
		return copy;
	}
}

const copyOf = (text: string): string => Buffer.from(text).toString();

const trailBytes = ({ trail }: SessionState): number => (trail?.pages.length ?? 0) * NUMBER_BYTES;

function sessionBytes(dimensions: SessionDimensions): number {
	let bytes = SESSION_BYTES;
	for (const column of sessionColumns) {
		const text = dimensions[column];
		if (text.length < SLICED_FROM) continue;
		// One character beyond Latin makes all of them take two bytes.
		bytes += TEXT_BYTES + text.length * (Buffer.byteLength(text) > text.length ? 2 : 1);
	}
	return bytes;
}

/** Ended sessions that are dropped with each hit, so that they never pile up and no sweep is long. */
const SWEEP_STEP = 4;
const CLICK_ID_SHARE = 0.2;
/** The part of the heap that sessions and click ids may take when nothing is said. */
const HEAP_SHARE = 0.25;

interface Held {
	readonly state: SessionState;
	readonly bytes: number;
}

export interface MemorySessionStoreOptions {
	/** How long a session lives without a hit, ms. */
	readonly timeoutMs: number;
	/** Memory that sessions and click ids may take; a quarter of the heap when absent. */
	readonly maxBytes?: number | undefined;
}

/** Live sessions in the memory of this process, for one collector. When it is full, those unseen for longest go first. */
export class MemorySessionStore implements SessionStore {
	readonly #timeoutMs: number;
	readonly #maxBytes: number;
	readonly #sessions = new AgingMap<number, Held>();
	readonly #texts = new SessionTexts();
	readonly #clickIds: ClickIdMemory;
	readonly #lastTimes = new LastTimes();
	#bytes = 0;

	constructor({ timeoutMs, maxBytes = getHeapStatistics().heap_size_limit * HEAP_SHARE }: MemorySessionStoreOptions) {
		this.#timeoutMs = timeoutMs;
		this.#maxBytes = maxBytes * (1 - CLICK_ID_SHARE);
		this.#clickIds = new ClickIdMemory(maxBytes * CLICK_ID_SHARE);
	}

	get size(): number {
		return this.#sessions.size;
	}

	visitors(): Iterable<number> {
		return this.#sessions.keys();
	}

	sights(): Generator<ClickIdSight> {
		return this.#clickIds.sights();
	}

	/** State of the visitor (id under today's salt), live or expired. */
	get(visitor: number): SessionState | undefined {
		return this.#sessions.get(visitor)?.state;
	}

	transact<Result>(ids: VisitorIds, now: number, decide: Decide<Result>): Result {
		const live = this.#live(ids.today, now) ?? this.#moveFromYesterday(ids, now);
		const { next, result } = decide(live?.state);
		this.#keep(ids.today, next, live);
		this.#sweep(now);
		return result;
	}

	putBack(visitor: number, held: SessionState, before: SessionState | undefined): void {
		const present = this.#sessions.get(visitor);
		if (present === undefined || !isSameState(present.state, held)) return;
		if (before === undefined) this.#drop(visitor);
		else this.#keep(visitor, before, undefined);
	}

	isClickIdSeen(siteId: string, clickId: string, now: number): boolean {
		return this.#clickIds.has(clickIdDigest(siteId, clickId), now);
	}

	noteSight(sight: ClickIdSight): boolean {
		return this.#clickIds.note(sight);
	}

	uniqueTime(siteId: string, kind: string, ts: number): number {
		return this.#lastTimes.next(siteId, kind, ts);
	}

	restore(sessions: readonly LiveSession[]): void {
		for (const { visitor, state } of sessions) {
			const held = this.#sessions.get(visitor);
			if (held === undefined || isYounger(state, held.state)) this.#keep(visitor, state, undefined);
		}
	}

	restoreClickIds(sights: readonly ClickIdSight[]): void {
		for (const sight of sights) this.#clickIds.note(sight);
	}

	async close(): Promise<void> {
		this.#sessions.clear();
		this.#bytes = 0;
	}

	#live(visitor: number, now: number): Held | undefined {
		const held = this.#sessions.get(visitor);
		return held !== undefined && isLive(held.state, now, this.#timeoutMs) ? held : undefined;
	}

	#moveFromYesterday(ids: VisitorIds, now: number): Held | undefined {
		const yesterday = ids.yesterday();
		const live = yesterday === undefined ? undefined : this.#live(yesterday, now);
		if (yesterday !== undefined && live !== undefined) this.#drop(yesterday);
		return live;
	}

	#keep(visitor: number, state: SessionState, before: Held | undefined): void {
		const held = this.#heldOf(state, before);
		this.#bytes += held.bytes - (this.#sessions.get(visitor)?.bytes ?? 0);
		this.#sessions.set(visitor, held);
		while (this.#bytes > this.#maxBytes && this.#dropOldest());
	}

	/** The values of a session that goes on are in texts of their own already, unless its entrance is new. */
	#heldOf(state: SessionState, before: Held | undefined): Held {
		if (before !== undefined && state.dimensions === before.state.dimensions) {
			return { state, bytes: before.bytes + trailBytes(state) - trailBytes(before.state) };
		}
		const dimensions = this.#texts.own(state.dimensions);
		return { state: { ...state, dimensions }, bytes: sessionBytes(dimensions) + trailBytes(state) };
	}

	#sweep(now: number): void {
		for (let step = 0; step < SWEEP_STEP; step++) {
			const oldest = this.#sessions.oldest();
			if (oldest === undefined || isLive(oldest[1].state, now, this.#timeoutMs)) return;
			this.#drop(oldest[0]);
		}
	}

	#dropOldest(): boolean {
		const oldest = this.#sessions.oldest();
		if (oldest !== undefined) this.#drop(oldest[0]);
		return oldest !== undefined;
	}

	#drop(visitor: number): void {
		this.#bytes -= this.#sessions.get(visitor)?.bytes ?? 0;
		this.#sessions.delete(visitor);
	}
}
