import type { Trail } from "../../../../analytics/attribution/trail.ts";
import type { SessionDimensions } from "../../../../analytics/model/event-row.ts";
import { DAY_MS } from "../../../../platform/lib/durations.ts";
import type { ClickIdSight } from "./click-id-memory.ts";

/** Fields of a session's entrance that the engaged row needs. */
export interface Entrance {
	readonly date: string;
	readonly hour: number;
	readonly ts: number;
}

export interface SessionState {
	/** Decimal text of the 64-bit id that its rows carry. */
	readonly session: string;
	readonly dimensions: SessionDimensions;
	/** Null until the first page view, in a session that an event opened. */
	readonly entrance: Entrance | null;
	/** True from the second page view on. */
	readonly engaged: boolean;
	/** Receipt of its latest hit, ms. */
	readonly lastSeen: number;
	/** Digests of the pages seen, by which reloads are recognized; absent in a session that another release has written. */
	readonly trail: Trail | undefined;
	/** Ids of the goals reached; absent in a session that another release has written. */
	readonly reached: readonly string[] | undefined;
}

/** True when a hit at this moment continues the session: its last hit is less than the timeout away. */
export function isLive(state: SessionState, now: number, timeoutMs: number): boolean {
	const age = now - state.lastSeen;
	// A clock that is set back by hours ends no session; one that was a day or more ahead must not keep them that long.
	return age < timeoutMs && age > -DAY_MS;
}

/** True when the visitor continues with `state` rather than with `other`. */
export function isYounger(state: SessionState, other: SessionState): boolean {
	if (state.lastSeen !== other.lastSeen) return state.lastSeen > other.lastSeen;
	return BigInt(state.session) >= BigInt(other.session);
}

/** True when both are the same session after the same hit. */
export function isSameState(state: SessionState, other: SessionState): boolean {
	return (
		state.session === other.session &&
		state.lastSeen === other.lastSeen &&
		state.engaged === other.engaged &&
		state.reached?.length === other.reached?.length &&
		state.entrance?.ts === other.entrance?.ts
	);
}

/** The visitor's id under today's salt, and the one under the salt of the day before (computed only when asked for). */
export interface VisitorIds {
	readonly today: number;
	readonly yesterday: () => number | undefined;
}

export interface SessionStep<Result> {
	readonly next: SessionState;
	readonly result: Result;
}

/** Decides how the visitor's session goes on; undefined = none is live. */
export type Decide<Result> = (live: SessionState | undefined) => SessionStep<Result>;

export interface LiveSession {
	readonly visitor: number;
	readonly state: SessionState;
}

/** Live sessions, in the process (answers at once) or shared by several collectors (answers with promises). */
export interface SessionStore {
	/**
	 * Finds the visitor's live session (its last hit less than the session timeout ago) under either id, lets `decide`
	 * decide and keeps what it returns under today's id. Atomic for a visitor: two hits never see the same state.
	 */
	transact<Result>(ids: VisitorIds, now: number, decide: Decide<Result>): Result | Promise<Result>;
	/** Undoes a step: puts `before` back, unless another hit has changed `held` since. Steps of one visitor are undone latest first. */
	putBack(visitor: number, held: SessionState, before: SessionState | undefined): void | Promise<void>;
	/** True when a hit with this click id came to the site in the last 30 days. */
	isClickIdSeen(siteId: string, clickId: string, now: number): boolean | Promise<boolean>;
	/**
	 * Notes that a hit with this click id came, or undoes that, so that what was known before counts again. True when it is new:
	 * a sight of the hour before is left as it is.
	 */
	noteSight(sight: ClickIdSight): boolean | Promise<boolean>;
	/** `ts`, or the next millisecond that no event of this site and kind has; see {@link LastTimes} for a flood. */
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
