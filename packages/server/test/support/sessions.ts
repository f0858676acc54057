import type { SessionState, SessionStore } from "../../src/features/collecting/collect/sessions/session-store.ts";
import { directVisit } from "./event-rows.ts";

export const MINUTE = 60_000;
export const DAY = 1440 * MINUTE;
export const TIMEOUT = 30 * MINUTE;
export const NOON = Date.UTC(2026, 4, 20, 12);

/** A session that began on the home page. */
export const sessionState = (session: string, lastSeen: number): SessionState => ({
	session,
	dimensions: directVisit,
	entrance: { date: "2026-05-20", hour: 12, ts: lastSeen },
	engaged: false,
	lastSeen,
	trail: { referrer: 7, pages: [7] },
	reached: [],
});

/** The ids of a visitor on a day. */
export const ids = (today: number, yesterday?: number) => ({ today, yesterday: () => yesterday });

/** Reports what the step found and keeps `next`. */
export const visit = (store: SessionStore, visitor: ReturnType<typeof ids>, now: number, next: SessionState) =>
	store.transact(visitor, now, (live) => ({ next, result: live }));
