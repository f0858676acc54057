import type { SessionState } from "./session-state.ts";

/** The visitor's id under today's salt, and the one under the salt of the day before (computed only when asked for). */
export interface VisitorIds {
	readonly today: number;
	readonly yesterday: () => number | undefined;
}

/** What a hit does to the session that it found. */
export interface SessionStep<Result> {
	/** The session as it is from now on. */
	readonly next: SessionState;
	readonly result: Result;
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
	/** True when a hit with this click id came to the site in the last 30 days. */
	isClickIdSeen(siteId: string, clickId: string, now: number): boolean | Promise<boolean>;
	/** Remembers for 30 days that a hit with this click id came; false when that was known. */
	rememberClickId(siteId: string, clickId: string, at: number): boolean | Promise<boolean>;
	/** Undoes `rememberClickId` of that moment. */
	forgetClickId(siteId: string, clickId: string, at: number): void | Promise<void>;
	/**
	 * `ts`, or the next millisecond that no event of this site and kind has: unique within the store, unless more than
	 * 1000 a second come for seconds. Never more than two seconds after `ts`.
	 */
	uniqueTime(siteId: string, kind: string, ts: number): number | Promise<number>;
	/** Puts back a session that was live when the process ended. */
	restore(state: SessionState): void | Promise<void>;
	/** Puts `before` back in the place of `held`, or removes it; only if the visitor's session (id under today's salt) is `held`. */
	putBack(visitor: number, held: SessionState, before: SessionState | undefined): void | Promise<void>;
	close(): Promise<void>;
}

/** Days for which a click id is remembered. */
export const CLICK_ID_DAYS = 30;
