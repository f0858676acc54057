import type { Condition } from "../../../analytics/catalog/filters.ts";
import {
	ACTIVE_MINUTES,
	type LiveFigures,
	type LiveHit,
	liveFigures,
} from "../../../analytics/query/reports/live-figures.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { askedBy } from "../../../platform/lib/asker.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import { orUndo } from "../../../platform/lib/with-resource.ts";

const MOST_TOLD = 20;

/** Hits that came since the last look. */
export interface NewHits {
	/** The latest, oldest first. */
	readonly told: readonly LiveHit[];
	/** How many more there were. */
	readonly skipped: number;
}

/** Tells the hits that were not there at the last look; the looks overlap, for rows are not stored in the order of time. */
export class HitTeller {
	/** How many hits are the same in everything, and when they were. */
	#known = new Map<number, { readonly count: number; readonly at: number }>();
	#hasLooked = false;

	/** New hits since a time; none at the first call. */
	look(hits: readonly LiveHit[], after: number): NewHits {
		const fresh: LiveHit[] = [];
		for (const [id, same] of Map.groupBy(hits, (hit) => hit.id)) {
			const known = this.#known.get(id)?.count ?? 0;
			fresh.push(...same.slice(known));
			this.#known.set(id, { count: Math.max(known, same.length), at: same[0]?.at ?? 0 });
		}
		// The next look goes no further back.
		for (const [id, { at }] of this.#known) if (at <= after) this.#known.delete(id);
		if (!this.#hasLooked) {
			this.#hasLooked = true;
			return { told: [], skipped: 0 };
		}
		const told = fresh.sort((a, b) => a.at - b.at).slice(-MOST_TOLD);
		return { told, skipped: fresh.length - told.length };
	}
}

/** Milliseconds from one question to the next. */
export const TICK_MS = 1000;
/** How much later than another a hit may be stored that came before it. */
const OVERLAP_MS = 10_000;
/** Hits are stored once a second, a little sooner or later. */
const ABOUT_A_SECOND_MS = 900;

/** Which hits of a site are watched. */
export interface LiveChoice {
	/** Slug. */
	readonly site: string;
	/** On whose account the event store is asked. */
	readonly organizationId: string;
	readonly conditions: readonly Condition[];
}

/** Is told what each question answers. */
type Watcher = (figures: LiveFigures, hits: NewHits) => void;

interface Watch {
	readonly choice: LiveChoice;
	readonly teller: HitTeller;
	readonly watchers: Set<Watcher>;
	latest?: { readonly figures: LiveFigures; readonly at: number };
	running?: Promise<LiveFigures>;
	/** True when somebody made a question since the last tick, which the next one counts as its own. */
	isAhead: boolean;
	/** When hits that were stored last caused a question. */
	toldAt: number;
	/** True when hits were stored while a question ran, which may not have seen them. */
	hasMissed: boolean;
}

/** Live figures of the watched sites: one query a second for all identical subscriptions. */
export class LiveBoard {
	readonly #deps: { readonly eventStore: EventStore; readonly clock: Clock };
	readonly #watches = new Map<string, Watch>();
	readonly #end = new AbortController();

	constructor(deps: { readonly eventStore: EventStore; readonly clock: Clock }) {
		this.#deps = deps;
	}

	/** The figures of at most a second ago. */
	read(choice: LiveChoice): Promise<LiveFigures> {
		return this.#figures(this.#watchOf(choice));
	}

	/** The same; the watcher gets each answer until it leaves. */
	async watch(choice: LiveChoice, watcher: Watcher): Promise<{ figures: LiveFigures; leave: () => void }> {
		const watch = this.#watchOf(choice);
		const leave = () => void watch.watchers.delete(watcher);
		watch.watchers.add(watcher);
		return orUndo(leave, async () => ({ figures: await this.#figures(watch), leave }));
	}

	/** Asks for what is watched; to be called once a `TICK_MS`. */
	tick(): void {
		for (const watch of this.#watches.values()) {
			if (watch.watchers.size === 0 || watch.running !== undefined) continue;
			// A question that fails is made again: watchers wait.
			if (!watch.isAhead) void this.#ask(watch).catch(() => undefined);
			watch.isAhead = false;
		}
	}

	/**
	 * Asks for what is watched of these sites, so that hits are sent as soon as they are stored instead of at the next tick,
	 * which is left out then: it remains one question a second.
	 */
	stored(sites: ReadonlySet<string> | "all"): void {
		for (const watch of this.#watches.values()) {
			if (watch.watchers.size > 0 && (sites === "all" || sites.has(watch.choice.site))) this.#tellStored(watch);
		}
	}

	#tellStored(watch: Watch): void {
		watch.hasMissed = watch.running !== undefined;
		if (watch.hasMissed) return;
		const now = this.#deps.clock.now();
		const age = now - watch.toldAt;
		// The next tick comes sooner than hits would be told too often.
		watch.isAhead = age < 0 || age >= ABOUT_A_SECOND_MS;
		if (!watch.isAhead) return;
		watch.toldAt = now;
		void this.#ask(watch).catch(() => undefined);
	}

	/** Ends what is being asked: it throws `service_unavailable`, as all do that come later. */
	close(): void {
		this.#end.abort(closing());
		this.#watches.clear();
	}

	#watchOf(choice: LiveChoice): Watch {
		this.#forget();
		const key = keyOf(choice);
		const found = this.#watches.get(key);
		if (found !== undefined) return found;
		const watch: Watch = {
			choice,
			teller: new HitTeller(),
			watchers: new Set(),
			isAhead: false,
			toldAt: 0,
			hasMissed: false,
		};
		this.#watches.set(key, watch);
		return watch;
	}

	#forget(): void {
		for (const [key, watch] of this.#watches) {
			if (watch.watchers.size === 0 && watch.running === undefined && !this.#isFresh(watch)) this.#watches.delete(key);
		}
	}

	#isFresh({ latest }: Watch): boolean {
		const age = latest === undefined ? TICK_MS : this.#deps.clock.now() - latest.at;
		return 0 <= age && age < TICK_MS;
	}

	async #figures(watch: Watch): Promise<LiveFigures> {
		if (watch.running !== undefined) return watch.running;
		if (watch.latest !== undefined && this.#isFresh(watch)) return watch.latest.figures;
		watch.isAhead = true;
		return this.#ask(watch);
	}

	#ask(watch: Watch): Promise<LiveFigures> {
		const now = this.#deps.clock.now();
		const { site, organizationId, conditions } = watch.choice;
		const hitsAfter = Math.max((watch.latest?.at ?? now) - OVERLAP_MS, now - ACTIVE_MINUTES * MINUTE_MS);
		// Not one of those who wait: the others go on when that one hangs up.
		const asker = { id: `live:${site}`, tenant: `organization:${organizationId}`, signal: this.#end.signal } as const;
		const running = askedBy({ ...asker, kind: "interactive" }, () =>
			liveFigures(this.#deps, { site, conditions, now, hitsAfter }),
		);
		watch.running = running
			.then((figures) => {
				watch.latest = { figures, at: now };
				const hits = watch.teller.look(figures.hits, hitsAfter);
				for (const watcher of watch.watchers) watcher(figures, hits);
				return figures;
			})
			.finally(() => {
				delete watch.running;
				if (watch.hasMissed) this.#tellStored(watch);
			});
		return watch.running;
	}
}

/** The service ends: another process answers, or this one in a moment. */
export const closing = () => new ServiceError("service_unavailable", { retryAfter: 1, isOurs: false });

const keyOf = ({ site, conditions }: LiveChoice): string => JSON.stringify([site, conditions]);
