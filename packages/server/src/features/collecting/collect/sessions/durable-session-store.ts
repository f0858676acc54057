import { localHour } from "../../../../analytics/model/site-clock.ts";
import type { EventStore } from "../../../../platform/event-store/event-store.ts";
import type { Cancel, Clock } from "../../../../platform/lib/clock.ts";
import { DAY_MS } from "../../../../platform/lib/durations.ts";
import { LruMap } from "../../../../platform/lib/lru-map.ts";
import { utcDay } from "../../../../platform/lib/timestamp.ts";
import { coversHit, type ForgottenDays, type SiteFacts } from "../../../tenancy/sites/index.ts";
import { visitorOf } from "../../visitors/index.ts";
import type { ClickIdSight } from "./click-id-memory.ts";
import { DayLog } from "./day-log.ts";
import type { Decide, LiveSession, SessionState, SessionStore, VisitorIds } from "./session-store.ts";

/** As long as click ids count as seen. */
const CLICK_ID_DAYS = 30;
/** A visit is found under the visitor id of today or the day before; older ids are of no use. */
const MOVE_DAYS = 1;
const TIDY_MS = 3_600_000;
/** A move that is noted twice does no harm. */
const NOTED_MOVES = 20_000;

/** State of a visit across midnight that the stored rows do not contain. */
type Move = Pick<SessionState, "session" | "entrance" | "engaged"> & {
	/** The visitor's id on the day that began. */
	readonly visitor: number;
};

interface ForgottenNotes {
	readonly siteId: string;
	readonly covers: (at: number) => boolean;
	readonly sessions: ReadonlySet<string>;
}

interface DurableSessionStoreOptions {
	readonly store: SessionStore;
	readonly directory: string;
	readonly clock: Clock;
	/** Called when nothing can be noted; the store works all the same. */
	readonly onError: (error: unknown) => void;
}

/** Notes on disk the state that rows do not hold: sights of click ids, and new ids of visits that run past midnight. */
export class DurableSessionStore implements SessionStore {
	readonly #store: SessionStore;
	readonly #clickIds: DayLog;
	readonly #moves: DayLog;
	readonly #noted = new LruMap<string, number>(NOTED_MOVES);

	readonly #stopTidying: Cancel;

	private constructor({ store, clock, onError }: DurableSessionStoreOptions, clickIds: DayLog, moves: DayLog) {
		this.#store = store;
		this.#clickIds = clickIds;
		this.#moves = moves;
		const tidy = () => Promise.all([clickIds.removeOld(clock.now()), moves.removeOld(clock.now())]).catch(onError);
		this.#stopTidying = clock.every(TIDY_MS, tidy);
	}

	/** Puts the noted click ids back before it resolves. */
	static async open(options: DurableSessionStoreOptions): Promise<DurableSessionStore> {
		const { store, directory, clock, onError } = options;
		const now = clock.now();
		const place = { clock, directory, onError };
		const clickIds = await DayLog.open({ ...place, name: "click-ids", keptDays: CLICK_ID_DAYS }, now);
		const moves = await DayLog.open({ ...place, name: "moves", keptDays: MOVE_DAYS }, now);
		for await (const lines of clickIds.read()) await store.restoreClickIds(lines.flatMap(sightsIn), now);
		return new DurableSessionStore(options, clickIds, moves);
	}

	transact<Result>(ids: VisitorIds, now: number, decide: Decide<Result>): Result | Promise<Result> {
		return this.#store.transact(ids, now, (live) => {
			const done = decide(live);
			if (live !== undefined && live.session === done.next.session) this.#noteMove(ids.today, live, now);
			return done;
		});
	}

	putBack(visitor: number, held: SessionState, before: SessionState | undefined): void | Promise<void> {
		return this.#store.putBack(visitor, held, before);
	}

	isClickIdSeen(siteId: string, clickId: string, now: number): boolean | Promise<boolean> {
		return this.#store.isClickIdSeen(siteId, clickId, now);
	}

	noteSight(sight: ClickIdSight): boolean | Promise<boolean> {
		const note = (isNew: boolean) => {
			if (isNew) this.#appendSight(sight);
			return isNew;
		};
		if (sight.isUndone) this.#appendSight(sight);
		const isNew = this.#store.noteSight(sight);
		return isNew instanceof Promise ? isNew.then(note) : note(isNew);
	}

	uniqueTime(siteId: string, kind: string, ts: number): number | Promise<number> {
		return this.#store.uniqueTime(siteId, kind, ts);
	}

	/** Sessions as the rows tell them, of which the notes know more. */
	async restore(sessions: readonly LiveSession[]): Promise<void> {
		const wanted = new Set(sessions.map(({ state }) => state.session));
		const moves = new Map<string, Move>();
		for await (const lines of this.#moves.read()) {
			for (const move of lines.flatMap(moveOf)) if (wanted.has(move.session)) moves.set(move.session, move);
		}
		await this.#store.restore(sessions.map((live) => moved(live, moves.get(live.state.session))));
	}

	restoreClickIds(sights: readonly ClickIdSight[], now: number): void | Promise<void> {
		return this.#store.restoreClickIds(sights, now);
	}

	/** Removes what is noted of deleted visits, and takes back their click ids; earlier sights of these count again. */
	async forgetNotes({ siteId, covers, sessions }: ForgottenNotes, now: number): Promise<void> {
		const undone: ClickIdSight[] = [];
		await this.#clickIds.removeLines((line) => {
			if (!line.endsWith(` ${siteId}`)) return false;
			const sights = sightsIn(line).filter((sight) => covers(sight.at));
			undone.push(...sights);
			return sights.length > 0;
		});
		await this.#store.restoreClickIds(
			undone.map((sight) => ({ ...sight, isUndone: true })),
			now,
		);
		const digests = new Set(undone.map(({ digest }) => digest));
		for await (const lines of digests.size === 0 ? [] : this.#clickIds.read()) {
			const earlier = lines.flatMap(sightsIn).filter(({ digest }) => digests.has(digest));
			await this.#store.restoreClickIds(earlier, now);
		}
		await this.#moves.removeLines((line) => moveOf(line).some(({ session }) => sessions.has(session)));
	}

	async close(): Promise<void> {
		this.#stopTidying();
		await Promise.all([this.#clickIds.close(), this.#moves.close()]);
		await this.#store.close();
	}

	/** As the visit was before the hit that moved it, so that the rows since then complete it. */
	#noteMove(visitor: number, { session, entrance, engaged }: SessionState, now: number): void {
		if (visitorOf(session) === visitor || this.#noted.get(session) === visitor) return;
		this.#noted.set(session, visitor);
		const move: Move = { session, visitor, entrance, engaged };
		this.#moves.append({ text: JSON.stringify(move) }, now);
	}

	#appendSight({ siteId, digest, at, isUndone }: ClickIdSight): void {
		const text = `${isUndone ? "-" : "+"}${digest.toString(36)} ${at.toString(36)} ${siteId}`;
		this.#clickIds.append({ text, ...(siteId !== undefined && { siteId }) }, at);
	}
}

function moved(live: LiveSession, move: Move | undefined): LiveSession {
	if (move === undefined) return live;
	const { state } = live;
	return {
		visitor: move.visitor,
		state: {
			...state,
			entrance: move.entrance ?? state.entrance,
			engaged: move.engaged || state.engaged,
		},
	};
}

/** Notes of the first releases name no site. */
function sightsIn(line: string): ClickIdSight[] {
	const [, sign, digest = "", at = "", siteId] = /^([+-])([0-9a-z]+) ([0-9a-z]+)(?: ([a-z0-9-]+))?$/.exec(line) ?? [];
	if (sign === undefined) return [];
	return [{ siteId, digest: Number.parseInt(digest, 36), at: Number.parseInt(at, 36), isUndone: sign === "-" }];
}

function moveOf(line: string): Move[] {
	try {
		return [JSON.parse(line) as Move];
	} catch {
		// The rest of a line that a power cut left.
		return [];
	}
}

/** Visits that may be noted: those of the days for which notes are kept, in any zone. */
const NOTED_DAYS = 4;

const SESSIONS = `SELECT DISTINCT toString(session) AS session FROM events
WHERE site = {site:String} AND date >= {since:Date} AND date >= {from:Date} AND date <= {to:Date} AND import_id = ''`;

interface ForgetDeps {
	readonly store: Pick<EventStore, "query">;
	readonly sessions: Pick<DurableSessionStore, "forgetNotes">;
}

/** Removes what is noted beside the rows of deleted days. Asks the rows which visits these are, so it comes before they go. */
export async function forgetNotes(
	{ store, sessions }: ForgetDeps,
	site: Pick<SiteFacts, "id" | "timezone">,
	days: ForgottenDays,
	now: number,
): Promise<void> {
	const params = {
		site: site.id,
		since: utcDay(now - NOTED_DAYS * DAY_MS),
		from: days.from ?? "1970-01-01",
		to: days.to ?? "2149-06-06",
	};
	const rows = await store.query<{ session: string }>({ sql: SESSIONS, params });
	const covers = (at: number) => coversHit(days, localHour(site.timezone, at).date, at);
	await sessions.forgetNotes({ siteId: site.id, covers, sessions: new Set(rows.map((row) => row.session)) }, now);
}
