import { ClickIdMemory, clickIdDigest } from "./click-id-memory.ts";
import { type SessionState, visitorOf } from "./session-state.ts";
import type { SessionStep, SessionStore, VisitorIds } from "./session-store.ts";

/** Beyond this many sessions the oldest are forgotten, live or not. */
const MAX_SESSIONS = 1_000_000;
/** Sessions looked at for each new one, so that ended ones never pile up and no sweep is long. */
const SWEEP_STEP = 4;
/** Times run ahead of the clock by no more than this. */
const MAX_AHEAD_MS = 2000;
/** Further ahead is no haste but a clock that was wrong. */
const JUMP_MS = 10_000;

/** Live sessions in the memory of this process; for one collector. */
export class MemorySessionStore implements SessionStore {
	readonly #timeoutMs: number;
	readonly #sessions = new Map<number, SessionState>();
	readonly #clickIds = new ClickIdMemory();
	readonly #lastTimes = new Map<string, number>();
	#sweep: Iterator<[number, SessionState]> = this.#sessions.entries();

	/** `timeoutMs`: how long a session lives without a hit. */
	constructor(timeoutMs: number) {
		this.#timeoutMs = timeoutMs;
	}

	/** Sessions held, ended ones that were not swept yet included. */
	get size(): number {
		return this.#sessions.size;
	}

	transact<Result>(
		ids: VisitorIds,
		now: number,
		step: (live: SessionState | undefined) => SessionStep<Result>,
	): Result {
		const { next, result } = step(this.#live(ids.today, now) ?? this.#moveFromYesterday(ids, now));
		if (!this.#sessions.has(ids.today)) this.#makeRoom(now);
		this.#sessions.set(ids.today, next);
		return result;
	}

	isClickIdSeen(siteId: string, clickId: string, now: number): boolean {
		return this.#clickIds.has(clickIdDigest(siteId, clickId), now);
	}

	rememberClickId(siteId: string, clickId: string, at: number): boolean {
		const digest = clickIdDigest(siteId, clickId);
		if (this.#clickIds.has(digest, at)) return false;
		this.#clickIds.add(digest, at);
		return true;
	}

	forgetClickId(siteId: string, clickId: string, at: number): void {
		this.#clickIds.remove(clickIdDigest(siteId, clickId), at);
	}

	uniqueTime(siteId: string, kind: string, ts: number): number {
		const key = `${siteId}\n${kind}`;
		const next = (this.#lastTimes.get(key) ?? 0) + 1;
		if (next > ts + MAX_AHEAD_MS && next < ts + JUMP_MS) return ts;
		const unique = next > ts + MAX_AHEAD_MS ? ts : Math.max(ts, next);
		this.#lastTimes.set(key, unique);
		return unique;
	}

	restore(state: SessionState): void {
		this.#sessions.set(visitorOf(state.session), state);
	}

	putBack(visitor: number, held: SessionState, before: SessionState | undefined): void {
		if (this.#sessions.get(visitor) !== held) return;
		if (before === undefined) this.#sessions.delete(visitor);
		else this.#sessions.set(visitor, before);
	}

	async close(): Promise<void> {
		this.#sessions.clear();
	}

	#live(visitor: number, now: number): SessionState | undefined {
		const state = this.#sessions.get(visitor);
		return state !== undefined && now - state.lastSeen < this.#timeoutMs ? state : undefined;
	}

	#moveFromYesterday(ids: VisitorIds, now: number): SessionState | undefined {
		const yesterday = ids.yesterday();
		const live = yesterday === undefined ? undefined : this.#live(yesterday, now);
		if (yesterday !== undefined && live !== undefined) this.#sessions.delete(yesterday);
		return live;
	}

	#makeRoom(now: number): void {
		for (let looked = 0; looked < SWEEP_STEP; looked++) {
			const entry = this.#sweep.next();
			if (entry.done) {
				this.#sweep = this.#sessions.entries();
				break;
			}
			const [visitor, state] = entry.value;
			if (now - state.lastSeen >= this.#timeoutMs) this.#sessions.delete(visitor);
		}
		if (this.#sessions.size < MAX_SESSIONS) return;
		const oldest = this.#sessions.keys().next();
		if (!oldest.done) this.#sessions.delete(oldest.value);
	}
}
