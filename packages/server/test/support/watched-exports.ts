import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import type { Tables } from "../../migrations/metadata/tables/index.ts";
import type { DomainEvent } from "../../src/features/delivering/domain-events/index.ts";
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import { days, type ExportSite, exportSite, filesBelow } from "./export-site.ts";
import { renewSession } from "./renew-session.ts";
import { testApp } from "./test-app.ts";

/** A site whose exports are watched from the inside. */
interface WatchedExports {
	readonly site: ExportSite;
	/** Events that the service announced. */
	readonly told: DomainEvent[];
	/** Runs before the engine counts the rows of a file. */
	beforeCount: () => Promise<void>;
	/** Runs before each piece of a file. */
	beforePiece: () => Promise<void>;
	/** Names of the stored files. */
	files(): readonly string[];
	/** Puts the organization on another plan. */
	plan(tier: "free" | "growth" | "scale" | "enterprise"): Promise<unknown>;
	/** Asks for the conversions that `addConversions` adds. */
	askForOrders(body?: object): Promise<LightMyRequestResponse>;
	/** Removes exports, files and added rows, and sets the clock to a moment. */
	reset(moment?: string): Promise<void>;
}

/** The request of `askForOrders`. */
export const orders = { export_type: "conversions", ...days, filters: { conversion_type: "order" } };

const nothing = async () => {};

/** One service for the tests of a file, with its site emptied before each of them. */
export function watchedExports(): WatchedExports {
	const at = {} as WatchedExports;
	before(() => openExports(at));
	beforeEach(() => at.reset());
	after(() => at.site.app.close());
	return at;
}

async function openExports(at: WatchedExports): Promise<void> {
	const wrapEventStore = (store: EventStore): EventStore => ({
		...store,
		query: async (query) => {
			if (/^SELECT count\(\) AS total\nFROM/.test(query.sql)) await at.beforeCount();
			return store.query(query);
		},
		async *streamBytes(query) {
			for await (const piece of store.streamBytes(query)) {
				await at.beforePiece();
				yield piece;
			}
		},
	});
	const app = await testApp({ wrapEventStore, seeksInsights: false, env: { REPORT_CACHE_BYTES: "0" } });
	const site = await exportSite(app);
	let hasOrders = false;
	const { addConversions } = site;
	Object.assign(site, {
		addConversions: (...given: Parameters<typeof addConversions>) => {
			hasOrders = true;
			return addConversions(...given);
		},
	});
	const tables = app.metadata.withTables<Tables>();
	const { plan_tier: usual } = await tables.selectFrom("organizations").select("plan_tier").executeTakeFirstOrThrow();
	Object.assign(at, {
		site,
		told: [],
		beforeCount: nothing,
		beforePiece: nothing,
		files: () => filesBelow(app.config.dataDir),
		plan: (tier) => tables.updateTable("organizations").set({ plan_tier: tier }).execute(),
		askForOrders: (body = {}) => site.call("POST /exports", { ...orders, ...body }),
		reset: async (moment = "2026-11-21T12:00:00.000Z") => {
			app.clock.set(moment);
			Object.assign(site.ann, { headers: await renewSession(app, site.ann.userId) });
			await tables.updateTable("organizations").set({ plan_tier: usual }).execute();
			await tables.deleteFrom("exports").execute();
			await tables.deleteFrom("jobs").execute();
			rmSync(join(app.config.dataDir, "exports"), { recursive: true, force: true });
			if (hasOrders) {
				await app.eventStore.command(
					"ALTER TABLE events DELETE WHERE event_type = 'order' SETTINGS mutations_sync = 2",
				);
			}
			hasOrders = false;
			at.told.length = 0;
			Object.assign(at, { beforeCount: nothing, beforePiece: nothing });
		},
	} satisfies WatchedExports);
	app.events.listen(async (event) => void at.told.push(event));
}
