import { localHour } from "../../../analytics/model/site-clock.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { within } from "../../../platform/lib/within.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { addToDays, type CollectedDay, lifetimeEvents } from "../../tenancy/billing/index.ts";
import type { SiteFacts } from "../../tenancy/sites/index.ts";

/** How long the first hit of an organization waits for its usage, ms. */
const FIRST_READ_MS = 1000;

interface QuotaDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly log: Log;
}

interface Usage {
	/** Of all collectors, in the metadata store; undefined while unknown. */
	stored: number | undefined;
	since: number;
	/** A hit has asked since the last exchange. */
	isActive: boolean;
	/** Resolves when `stored` has been read for the first time; undefined from then on. */
	reading: Promise<void> | undefined;
}

/** Keeps organizations within lifetime limits; collectors share their usage by `exchange`. While usage cannot be read, hits are taken. */
export class EventQuota {
	readonly #deps: QuotaDeps;
	readonly #usage = new Map<string, Usage>();
	#taken = new Map<string, CollectedDay>();
	#exchanged = Promise.resolve();

	constructor(deps: QuotaDeps) {
		this.#deps = deps;
	}

	/** False when the organization of the site has used up its plan. */
	hasRoom({ organizationId, lifetimeEventLimit: limit }: SiteFacts): boolean | Promise<boolean> {
		if (limit === null) return true;
		const usage = this.#usage.get(organizationId) ?? this.#begin(organizationId);
		usage.isActive = true;
		const isWithin = () => usage.stored === undefined || usage.stored + usage.since < limit;
		return usage.reading?.then(isWithin) ?? isWithin();
	}

	count({ organizationId, lifetimeEventLimit, timezone }: SiteFacts, receivedAt: number, events = 1): void {
		if (lifetimeEventLimit === null) return;
		const usage = this.#usage.get(organizationId);
		if (usage !== undefined) usage.since += events;
		const { date: day } = localHour(timezone, receivedAt);
		this.#add({ organization_id: organizationId, day, collected_events: events });
	}

	/** Adds what was taken here to the metadata store, and reads what all collectors have taken. Never rejects. */
	exchange(): Promise<void> {
		this.#exchanged = this.#exchanged
			.then(() => this.#exchangeOnce())
			.catch((error: unknown) =>
				this.#deps.log.warn({ cause: describeCause(error) }, "The usage of plans could not be written"),
			);
		return this.#exchanged;
	}

	#add(events: CollectedDay): void {
		const key = `${events.organization_id} ${events.day}`;
		const before = this.#taken.get(key)?.collected_events ?? 0;
		this.#taken.set(key, { ...events, collected_events: before + events.collected_events });
	}

	#begin(organizationId: string): Usage {
		const usage: Usage = { stored: undefined, since: 0, isActive: true, reading: undefined };
		this.#usage.set(organizationId, usage);
		const { clock, metadata } = this.#deps;
		usage.reading = within(clock, FIRST_READ_MS, lifetimeEvents(metadata, [organizationId]))
			.then((events) => {
				usage.stored ??= events && (events.get(organizationId) ?? 0);
			})
			.catch(() => undefined)
			.finally(() => {
				usage.reading = undefined;
			});
		return usage;
	}

	async #exchangeOnce(): Promise<void> {
		const { metadata } = this.#deps;
		const taken = [...this.#taken.values()];
		this.#taken = new Map();
		for (const [id, usage] of this.#usage) {
			if (!usage.isActive && usage.since === 0) this.#usage.delete(id);
			usage.isActive = false;
		}
		const before = [...this.#usage].map(([id, usage]) => ({ id, usage, since: usage.since }));
		try {
			await addToDays(metadata, taken);
		} catch (error) {
			for (const day of taken) this.#add(day);
			throw error;
		}
		const events = await lifetimeEvents(
			metadata,
			before.map(({ id }) => id),
		);
		for (const { id, usage, since } of before) {
			usage.stored = events.get(id) ?? 0;
			usage.since -= since;
		}
	}
}
