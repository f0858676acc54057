import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { SiteDirectory, SiteFacts } from "../../tenancy/sites/index.ts";

const REFRESH_MS = 60_000;

/** What is known of the events of an organization. */
interface Usage {
	/** Events in the event store when it was last asked; undefined until the first answer. */
	stored: number | undefined;
	/** Events accepted since then. */
	since: number;
	/** When the event store was last asked, ms. */
	askedAt: number;
	isAsking: boolean;
}

const STORED_EVENTS = `SELECT sum(page_view) + sum(conversion) + sum(microconversion) AS events
FROM events WHERE site IN {sites:Array(String)} AND import_id = ''`;

/**
 * Keeps organizations with a lifetime limit within it. The count comes from the event store, asked once a minute and one
 * question at a time; hits accepted in between are added. No hit waits for it: until the first answer all are admitted.
 */
export class EventQuota {
	readonly #store: Pick<EventStore, "query">;
	readonly #sites: Pick<SiteDirectory, "ofOrganization">;
	readonly #usage = new Map<string, Usage>();

	constructor(deps: {
		readonly store: Pick<EventStore, "query">;
		readonly sites: Pick<SiteDirectory, "ofOrganization">;
	}) {
		this.#store = deps.store;
		this.#sites = deps.sites;
	}

	/** False when the organization of the site has used up what its plan allows now. */
	hasRoom(site: SiteFacts, now: number): boolean {
		if (site.lifetimeEventLimit === null) return true;
		const usage = this.#usageOf(site.organizationId);
		if (!usage.isAsking && Math.abs(now - usage.askedAt) >= REFRESH_MS) void this.#ask(site.organizationId, usage, now);
		return usage.stored === undefined || usage.stored + usage.since < site.lifetimeEventLimit;
	}

	/** Counts an event that was stored. */
	count(site: SiteFacts): void {
		const usage = this.#usage.get(site.organizationId);
		if (usage !== undefined) usage.since++;
	}

	#usageOf(organizationId: string): Usage {
		const known = this.#usage.get(organizationId);
		if (known !== undefined) return known;
		const usage: Usage = { stored: undefined, since: 0, askedAt: Number.NEGATIVE_INFINITY, isAsking: false };
		this.#usage.set(organizationId, usage);
		return usage;
	}

	/** Keeps what was known where the event store does not answer. */
	async #ask(organizationId: string, usage: Usage, now: number): Promise<void> {
		usage.isAsking = true;
		usage.askedAt = now;
		const sites = this.#sites.ofOrganization(organizationId).map(({ id }) => id);
		const before = usage.since;
		try {
			const [row] = await this.#store.query<{ events: number }>({ sql: STORED_EVENTS, params: { sites } });
			usage.stored = row?.events ?? 0;
			// Hits that wait in the spool may be in neither figure for a second; those accepted during the query are kept.
			usage.since -= before;
		} catch {
			// Asked again in a minute.
		} finally {
			usage.isAsking = false;
		}
	}
}
