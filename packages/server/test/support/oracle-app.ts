import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { FastifyRequest } from "fastify";
import { pino } from "pino";
import type { Condition } from "../../src/analytics/catalog/filters.ts";
import { eventColumns } from "../../src/analytics/model/event-columns.ts";
import type { EventRow } from "../../src/analytics/model/event-row.ts";
import { encodeEventRow } from "../../src/analytics/model/event-tsv.ts";
import { describeGuard } from "../../src/composition/api-description.ts";
import { placeBadQuestions, tellEngineTime } from "../../src/composition/routes.ts";
import { registerQuery } from "../../src/features/reporting/query/index.ts";
import { registerStats } from "../../src/features/reporting/stats/index.ts";
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import type { App } from "../../src/platform/http/app.ts";
import { createHttpApp } from "../../src/platform/http/create-http-app.ts";
import { systemClock } from "../../src/platform/lib/clock.ts";
import { NOW, type OracleSite } from "./oracle-data.ts";
import { type Fact, factToRow } from "./oracle-facts.ts";
import { lendEventStore } from "./stores-on-shared-engine.ts";

let inserts = 0;

export async function insertRows(store: EventStore, rows: readonly EventRow[]): Promise<void> {
	if (rows.length === 0) return;
	inserts += 1;
	await store.insert({
		table: "events",
		columns: Object.keys(eventColumns),
		tsv: Buffer.from(rows.map(encodeEventRow).join("")),
		deduplicationToken: `oracle-${inserts}`,
	});
}

/** An embedded event store with the schema, empty. */
export async function openOracleStore(): Promise<EventStore> {
	const { store, giveBack } = await lendEventStore();
	return { ...store, close: giveBack };
}

/** The stats routes on a store; every site that `sites` knows is within reach. */
export async function oracleApp(
	eventStore: EventStore,
	sites: ReadonlyMap<string, OracleSite>,
	segments: ReadonlyMap<string, Condition> = new Map(),
) {
	const clock = { ...systemClock, now: () => NOW };
	const log = pino({ level: "silent" });
	const app = await createHttpApp({ log, clock, trustProxy: false, describeGuard, checkResponses: true });
	app.decorateRequest("site", {
		getter(this: FastifyRequest) {
			const { site_id: id = "" } = this.query as { site_id?: string };
			const site = sites.get(id);
			if (site === undefined) throw new Error(`No such site: ${id}`);
			return {
				...{ ...site, name: site.id, organizationId: "oracle", planTier: "enterprise" as const, currency: "EUR" },
				...{ isActive: true, botThreshold: 80, role: "viewer" as const, organizationRole: null, share: null },
			};
		},
	});
	app.decorateRequest("refuseShutSites", async () => undefined);
	const deps = { eventStore, clock, segments: async (_: string, name: string) => segments.get(name) };
	placeBadQuestions(app);
	tellEngineTime(app);
	registerStats(app, deps);
	registerQuery(app, deps);
	return app;
}

interface ReportsOptions {
	readonly rows?: readonly EventRow[];
	readonly sites?: readonly OracleSite[];
	readonly segments?: Readonly<Record<string, Condition>>;
	readonly addRoutes?: (reports: { app: App; store: EventStore; sites: ReadonlyMap<string, OracleSite> }) => void;
}

/** The stats routes on a store for the tests of a file; `app` and `store` may be read from the first test on. */
export function reportsOn(options: ReportsOptions = {}) {
	const found = {} as { app: App; store: EventStore };
	/** Within reach of requests. */
	const sites = new Map(options.sites?.map((site) => [site.id, site]));
	const segments = new Map(Object.entries(options.segments ?? {}));
	before(async () => {
		found.store = await openOracleStore();
		await insertRows(found.store, options.rows ?? []);
		found.app = await oracleApp(found.store, sites, segments);
		options.addRoutes?.({ ...found, sites });
	});
	// Closed even when the set-up failed half-way, or the store's process would keep the test alive.
	after(async () => {
		await found.app?.close();
		await found.store?.close();
	});
	return Object.assign(found, {
		sites,
		segments,
		/** Puts sites within reach and appends their facts. */
		async add(more: readonly OracleSite[], facts: readonly Fact[]) {
			for (const site of more) sites.set(site.id, site);
			await insertRows(found.store, facts.map(factToRow));
		},
		async get(url: string): Promise<ReturnType<typeof JSON.parse>> {
			const response = await found.app.inject({ url });
			assert.equal(response.statusCode, 200, `${url} ${response.body}`);
			return response.json();
		},
	});
}
