import type { Trail } from "../../../../analytics/attribution/trail.ts";
import type { SessionDimensions } from "../../../../analytics/model/event-row.ts";
import { DAY_MS } from "../../../../platform/lib/durations.ts";

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
