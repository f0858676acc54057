import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach } from "node:test";
import type { Tables } from "../../migrations/metadata/tables/index.ts";
import type { DomainEvent } from "../../src/features/delivering/domain-events/index.ts";
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import { days, exportSite, filesBelow } from "./export-site.ts";
import { renewSession } from "./renew-session.ts";
import { testApp } from "./test-app.ts";

/** The request of `askForOrders`. */
export const orders = { export_type: "conversions", ...days, filters: { conversion_type: "order" } };

const nothing = async () => {};

/** One service for the tests of a file, with its site emptied before each of them. */
export function watchedExports() {
	const at = { beforeCount: nothing, beforePiece: nothing } as Hooks & Awaited<ReturnType<typeof openExports>>;
	before(async () => void Object.assign(at, await openExports(at)));
	beforeEach(() => at.reset());
	after(() => at.site.app.close());
	return at;
}

/** Called before the engine counts the rows of a file, and before each piece of it. */
type Hooks = Record<"beforeCount" | "beforePiece", () => Promise<void>>;

/** A site whose exports are watched from the inside. */
async function openExports(at: Hooks) {
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
	const told: DomainEvent[] = [];
	app.events.listen(async (event) => void told.push(event));
	const tables = app.metadata.withTables<Tables>();
	const { plan_tier: usual } = await tables.selectFrom("organizations").select("plan_tier").executeTakeFirstOrThrow();
	/** Puts the organization on another plan. */
	const plan = (tier: typeof usual) => tables.updateTable("organizations").set({ plan_tier: tier }).execute();
	return {
		site,
		/** Events that the service announced. */
		told,
		/** Names of the stored files. */
		files: () => filesBelow(app.config.dataDir),
		plan,
		/** Asks for the conversions that `addConversions` adds. */
		askForOrders: (body = {}) => site.call("POST /exports", { ...orders, ...body }),
		/** Removes exports, files and added rows, and sets the clock to a moment. */
		reset: async (moment = "2026-11-21T12:00:00.000Z") => {
			app.clock.set(moment);
			Object.assign(site.ann, { headers: await renewSession(app, site.ann.userId) });
			await plan(usual);
			await tables.deleteFrom("exports").execute();
			await tables.deleteFrom("jobs").execute();
			rmSync(join(app.config.dataDir, "exports"), { recursive: true, force: true });
			const isOrder = "event_type = 'order'";
			const { eventStore } = app;
			const [order] = await eventStore.query({ sql: `SELECT site FROM events WHERE ${isOrder} LIMIT 1` });
			if (order) await eventStore.command(`ALTER TABLE events DELETE WHERE ${isOrder} SETTINGS mutations_sync = 2`);
			told.length = 0;
			Object.assign(at, { beforeCount: nothing, beforePiece: nothing });
		},
	};
}
