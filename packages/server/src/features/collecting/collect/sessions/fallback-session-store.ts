import type { Cancel, Clock } from "../../../../platform/lib/clock.ts";
import { RedisAway } from "../../../../platform/redis/answered.ts";
import type { ClickIdSight } from "./click-id-memory.ts";
import type { MemorySessionStore } from "./memory-session-store.ts";
import type { RedisSessionStore } from "./redis-session-store.ts";
import type { Decide, LiveSession, SessionState, SessionStore, VisitorIds } from "./session-store.ts";

const RETRY_MS = 1000;
const BATCH = 1000;
/** Noted visits that are looked at for each one added: twice as many as come, so those that memory has dropped go. */
const LOOK_AT = 2;
/** Sights kept to be handed back; beyond, the server does not learn of them. */
const MAX_SIGHTS = 500_000;

interface FallbackSessionStoreOptions {
	readonly clock: Clock;
	readonly shared: RedisSessionStore;
	readonly local: MemorySessionStore;
	/** Called when the shared store is left, and when it is used again. */
	readonly onChange: (isAway: boolean, cause: unknown) => void;
}

/**
 * Sessions in the shared store, and in memory while that is away. Memory is kept up to date, so this collector's visits
 * continue; they are handed over before the shared store is used again. Its click ids are handed over if the shared store has
 * lost them, else only those of meanwhile.
 */
export class FallbackSessionStore implements SessionStore {
	readonly #options: FallbackSessionStoreOptions;
	readonly #shared: RedisSessionStore;
	readonly #local: MemorySessionStore;
	readonly #changed = new Set<number>();
	#sights: ClickIdSight[] = [];
	#latest = 0;
	/** True while memory alone answers. */
	isAway = false;
	/** The shared store has lost its click ids, and was not handed them all since. */
	#isEmptied = false;
	/** Hits that were booked in memory alone since the start. */
	hitsAlone = 0;
	#cancelRetry: Cancel | undefined;
	#isClosed = false;

	constructor(options: FallbackSessionStoreOptions) {
		this.#options = options;
		this.#shared = options.shared;
		this.#local = options.local;
	}

	get changed(): number {
		return this.#changed.size;
	}

	transact<Result>(ids: VisitorIds, now: number, decide: Decide<Result>): Promise<Result> {
		this.#latest = Math.max(this.#latest, now);
		return this.#ask(
			async () => {
				let next: SessionState | undefined;
				const result = await this.#shared.transact(ids, now, (live) => {
					const done = decide(live);
					next = done.next;
					return done;
				});
				if (next !== undefined) this.#local.restore([{ visitor: ids.today, state: next }]);
				return result;
			},
			() => {
				this.hitsAlone++;
				const result = this.#local.transact(ids, now, decide);
				this.#noteChanged(ids.today);
				return result;
			},
		);
	}

	putBack(visitor: number, held: SessionState, before: SessionState | undefined): Promise<void> {
		this.#local.putBack(visitor, held, before);
		return this.#ask(
			() => this.#shared.putBack(visitor, held, before),
			() => {},
		);
	}

	isClickIdSeen(siteId: string, clickId: string, now: number): Promise<boolean> {
		return this.#ask(
			() => this.#shared.isClickIdSeen(siteId, clickId, now),
			() => this.#local.isClickIdSeen(siteId, clickId, now),
		);
	}

	noteSight(sight: ClickIdSight): Promise<boolean> {
		const isNew = this.#local.noteSight(sight);
		return this.#ask(
			() => this.#shared.noteSight(sight),
			() => {
				if (isNew || sight.isUndone) this.#keepSight(sight);
				return isNew;
			},
		);
	}

	uniqueTime(siteId: string, kind: string, ts: number): Promise<number> {
		return this.#ask(
			async () => {
				const time = await this.#shared.uniqueTime(siteId, kind, ts);
				this.#local.uniqueTime(siteId, kind, time);
				return time;
			},
			() => this.#local.uniqueTime(siteId, kind, ts),
		);
	}

	restore(sessions: readonly LiveSession[]): Promise<void> {
		this.#local.restore(sessions);
		return this.#ask(
			() => this.#shared.restore(sessions),
			() => {
				for (const { visitor } of sessions) this.#noteChanged(visitor);
			},
		);
	}

	restoreClickIds(sights: readonly ClickIdSight[], now: number): Promise<void> {
		this.#local.restoreClickIds(sights);
		return this.#ask(
			() => this.#shared.restoreClickIds(sights, now),
			() => {
				this.#latest = Math.max(this.#latest, now);
				for (const sight of sights) this.#keepSight(sight);
			},
		);
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		this.#cancelRetry?.();
		await Promise.all([this.#shared.close(), this.#local.close()]);
	}

	/** Leaves the shared store until it answers: its connection has broken, so it may have lost what it held. */
	leave(cause: unknown): void {
		if (this.isAway || this.#isClosed) return;
		this.isAway = true;
		// A server that was started again may have lost them; one that was not keeps what is younger.
		for (const visitor of this.#local.visitors()) this.#changed.add(visitor);
		this.#options.onChange(true, cause);
		this.#tryLater();
	}

	async #ask<Answer>(shared: () => Promise<Answer>, local: () => Answer): Promise<Answer> {
		if (!this.isAway) {
			try {
				return await shared();
			} catch (error) {
				if (!(error instanceof RedisAway)) throw error;
				this.leave(error);
			}
		}
		return local();
	}

	#tryLater(): void {
		if (this.#isClosed) return;
		this.#cancelRetry = this.#options.clock.after(RETRY_MS, () => this.#return().catch(() => this.#tryLater()));
	}

	async #return(): Promise<void> {
		this.#isEmptied = (await this.#shared.probe()) || this.#isEmptied;
		if (this.#isEmptied) await this.#shared.restoreClickIds(this.#local.sights(), this.#latest);
		this.#isEmptied = false;
		while (this.#changed.size > 0 || this.#sights.length > 0) await this.#handOver();
		// Nothing came in between: the loop ended in this very step.
		this.isAway = false;
		this.#options.onChange(false, undefined);
	}

	async #handOver(): Promise<void> {
		const visitors = this.#changed.values().take(BATCH).toArray();
		const sights = this.#sights.slice(0, BATCH);
		for (const visitor of visitors) this.#changed.delete(visitor);
		this.#sights = this.#sights.slice(BATCH);
		try {
			await this.#shared.restore(visitors.flatMap((visitor) => this.#held(visitor)));
			await this.#shared.restoreClickIds(sights, this.#latest);
		} catch (error) {
			for (const visitor of visitors) this.#changed.add(visitor);
			this.#sights = [...sights, ...this.#sights];
			throw error;
		}
	}

	#held(visitor: number): LiveSession[] {
		const state = this.#local.get(visitor);
		return state === undefined ? [] : [{ visitor, state }];
	}

	/** Notes a visit for the shared store; those that memory no longer has are forgotten, so that there are never many more than it holds. */
	#noteChanged(visitor: number): void {
		this.#changed.add(visitor);
		for (const noted of this.#changed.values().take(LOOK_AT).toArray()) {
			this.#changed.delete(noted);
			if (this.#local.get(noted) !== undefined) this.#changed.add(noted);
		}
	}

	#keepSight(sight: ClickIdSight): void {
		if (this.#sights.length < MAX_SIGHTS) this.#sights.push(sight);
	}
}
