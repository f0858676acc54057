import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach } from "node:test";
import type { Tables } from "../../migrations/metadata/tables/index.ts";
import type { DomainEvent } from "../../src/features/delivering/domain-events/index.ts";
import type { PlanTier } from "../../src/features/tenancy/organizations/index.ts";
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import { filesBelow } from "./export-files.ts";
import { days, exportSite } from "./export-site.ts";
import { renewSession } from "./renew-session.ts";
import { testApp } from "./test-app.ts";

type WatchedExports = Awaited<ReturnType<typeof openExports>>;

/** The request of `askForOrders`. */
export const orders = { export_type: "conversions", ...days, filters: { conversion_type: "order" } };

type Options = Pick<NonNullable<Parameters<typeof testApp>[0]>, "onPostgres">;

const nothing = async () => {};

/** One service for the tests of a file, with its site emptied before each of them. */
export function watchedExports(options: Options = {}): WatchedExports {
	const at = {} as WatchedExports;
	before(async () => void (await openExports(options, at)));
	beforeEach(() => at.reset());
	after(() => at.site.app.close());
	return at;
}

/** A site whose exports are watched from the inside, on a service that a test closes itself. */
export async function openExports(options: Options = {}, at: object = {}) {
	const steps = {
		/** Runs before the engine counts the rows of a file. */
		beforeCount: nothing,
		/** Runs before each piece of a file. */
		beforePiece: nothing,
	};
	const watched = Object.assign(at, steps);
	const wrapEventStore = (store: EventStore): EventStore => ({
		...store,
		query: async (query) => {
			if (/^SELECT count\(\) AS total\nFROM/.test(query.sql)) await watched.beforeCount();
			return store.query(query);
		},
		async *streamBytes(query) {
			for await (const piece of store.streamBytes(query)) {
				await watched.beforePiece();
				yield piece;
			}
		},
	});
	const app = await testApp({ ...options, wrapEventStore, env: { REPORT_CACHE_BYTES: "0" } });
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
	const plan = (tier: PlanTier) => tables.updateTable("organizations").set({ plan_tier: tier }).execute();
	/** Events that the service announced. */
	const told: DomainEvent[] = [];
	app.events.listen(async (event) => void told.push(event));
	return Object.assign(watched, {
		site,
		told,
		/** Names of the stored files. */
		files: () => filesBelow(app.config.dataDir),
		/** Puts the organization on another plan. */
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
			if (hasOrders) {
				await app.eventStore.command(
					"ALTER TABLE events DELETE WHERE event_type = 'order' SETTINGS mutations_sync = 2",
				);
			}
			hasOrders = false;
			told.length = 0;
			Object.assign(watched, { beforeCount: nothing, beforePiece: nothing });
		},
	});
}
