import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { SiteDirectory, SiteFacts } from "../../accounts/sites/index.ts";

const REFRESH_MS = 60_000;

interface Usage {
	readonly limit: number;
	/** Events of the organization in the event store when it was last asked. */
	stored: number;
	/** Events accepted since then. */
	since: number;
	readAt: number;
}

const STORED_EVENTS = `SELECT sum(page_view) + sum(conversion) + sum(microconversion) AS events
FROM events WHERE site IN {sites:Array(String)} AND import_id = ''`;

/**
 * Keeps organizations with a lifetime limit within it. The count comes from the event store once a minute; hits
 * accepted in between are added, so that a hit never waits for a query.
 */
export class EventQuota {
	readonly #store: EventStore;
	readonly #sites: SiteDirectory;
	readonly #usage = new Map<string, Usage>();

	constructor(deps: { readonly store: EventStore; readonly sites: SiteDirectory }) {
		this.#store = deps.store;
		this.#sites = deps.sites;
	}

	/** False when the organization of the site has used its limit up; while the event store is away, no hit is lost for it. */
	hasRoom(site: SiteFacts, now: number): boolean | Promise<boolean> {
		if (site.lifetimeEventLimit === null) return true;
		const usage = this.#usage.get(site.organizationId);
		if (usage === undefined) return this.#read(site, site.lifetimeEventLimit, now).then(hasRoom, () => true);
		if (now - usage.readAt >= REFRESH_MS) {
			usage.readAt = now;
			void this.#read(site, usage.limit, now).catch(() => {});
		}
		return hasRoom(usage);
	}

	/** Counts an accepted event. */
	count(site: SiteFacts): void {
		const usage = this.#usage.get(site.organizationId);
		if (usage !== undefined) usage.since++;
	}

	async #read(site: SiteFacts, limit: number, now: number): Promise<Usage> {
		const sites = this.#sites.ofOrganization(site.organizationId).map(({ id }) => id);
		const before = this.#usage.get(site.organizationId);
		const sinceBefore = before?.since ?? 0;
		const [row] = await this.#store.query<{ events: number }>({ sql: STORED_EVENTS, params: { sites } });
		// Hits that wait in the spool may be in neither figure for a second; hits accepted during the query are kept.
		const since = (this.#usage.get(site.organizationId)?.since ?? 0) - sinceBefore;
		const usage: Usage = { limit, stored: row?.events ?? 0, since, readAt: now };
		this.#usage.set(site.organizationId, usage);
		return usage;
	}
}

const hasRoom = (usage: Usage) => usage.stored + usage.since < usage.limit;
