import type { ClickIdSight } from "./click-id-memory.ts";
import type { SessionState } from "./session-state.ts";

/** The visitor's id under today's salt, and the one under the salt of the day before (computed only when asked for). */
export interface VisitorIds {
	readonly today: number;
	readonly yesterday: () => number | undefined;
}

export interface SessionStep<Result> {
	readonly next: SessionState;
	readonly result: Result;
}

export interface LiveSession {
	readonly visitor: number;
	readonly state: SessionState;
}

/**
 * Live sessions, in the process or shared by several collectors. The memory form answers at once, the shared form
 * with promises.
 */
export interface SessionStore {
	/**
	 * Finds the visitor's live session (its last hit less than the session timeout ago) under either id, lets `step`
	 * decide and keeps what it returns under today's id. Atomic for a visitor: two hits never see the same state.
	 */
	transact<Result>(
		ids: VisitorIds,
		now: number,
		step: (live: SessionState | undefined) => SessionStep<Result>,
	): Result | Promise<Result>;
	/**
	 * Undoes a step whose hit could not be stored: puts `before` back (nothing, when undefined), unless another hit has
	 * changed `held` since. Steps of one visitor are undone latest first.
	 */
	putBack(visitor: number, held: SessionState, before: SessionState | undefined): void | Promise<void>;
	/** True when a hit with this click id came to the site in the last 30 days. */
	isClickIdSeen(siteId: string, clickId: string, now: number): boolean | Promise<boolean>;
	/** Notes that a hit with this click id came; false when a sight of the hour before is known, which is left as it is. */
	rememberClickId(siteId: string, clickId: string, at: number): boolean | Promise<boolean>;
	/** Undoes `rememberClickId` of that moment, so that what was known before counts again. */
	forgetClickId(siteId: string, clickId: string, at: number): void | Promise<void>;
	/**
	 * `ts`, or the next millisecond that no event of this site and kind has: unique within the store, unless more than
	 * 1000 a second come for seconds. Never more than two seconds after `ts`.
	 */
	uniqueTime(siteId: string, kind: string, ts: number): number | Promise<number>;
	/** Restores sessions that were live when the process ended; existing ones stay if they are younger. */
	restore(sessions: readonly LiveSession[]): void | Promise<void>;
	/** Puts back sights of click ids, in order; `now` says which have ended. */
	restoreClickIds(sights: readonly ClickIdSight[], now: number): void | Promise<void>;
	close(): Promise<void>;
}

/** How far a unique time may run ahead of the clock, ms. */
export const MAX_AHEAD_MS = 2000;

/** The latest times that were given out, a site and kind. */
export class LastTimes {
	readonly #last = new Map<string, number>();

	/**
	 * `ts`, or the next millisecond that was not given out, at most two seconds later. Beyond that it is `ts` all the
	 * same: a flood takes more than a thousand a second, or the clock was set back, and then it is begun anew from there.
	 */
	next(siteId: string, kind: string, ts: number): number {
		const key = `${siteId}\n${kind}`;
		const last = this.#last.get(key) ?? 0;
		const ahead = last - ts;
		const time = ahead >= 0 && ahead < MAX_AHEAD_MS ? last + 1 : ts;
		if (ahead !== MAX_AHEAD_MS) this.#last.set(key, time);
		return time;
	}
}
