import type { FastifyRequest } from "fastify";
import { pino } from "pino";
import type { Condition } from "../../src/analytics/catalog/filters.ts";
import { eventColumns } from "../../src/analytics/model/event-columns.ts";
import type { EventRow } from "../../src/analytics/model/event-row.ts";
import { encodeEventRow } from "../../src/analytics/model/event-tsv.ts";
import { describeGuard } from "../../src/composition/api-description.ts";
import { placeBadQuestions } from "../../src/composition/routes/place-bad-questions.ts";
import { tellEngineTime } from "../../src/composition/routes/tell-engine-time.ts";
import { registerQuery } from "../../src/features/reporting/query/index.ts";
import { registerStats } from "../../src/features/reporting/stats/index.ts";
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import { createHttpApp } from "../../src/platform/http/create-http-app.ts";
import { NOW, type OracleSite } from "./oracle-data.ts";
import { lendEventStore } from "./stores-on-shared-engine.ts";

let inserts = 0;

/** Appends rows as the collector's loader does. */
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
	const clock = { now: () => NOW };
	const log = pino({ level: "silent" });
	const app = await createHttpApp({ log, clock, trustProxy: false, describeGuard, checkResponses: true });
	app.decorateRequest("site", {
		getter(this: FastifyRequest) {
			const { site_id: id = "" } = this.query as { site_id?: string };
			const site = sites.get(id);
			if (site === undefined) throw new Error(`No such site: ${id}`);
			return {
				...site,
				organizationId: "oracle",
				planTier: "enterprise" as const,
				name: site.id,
				currency: "EUR",
				isActive: true,
				botThreshold: 80,
				role: "viewer" as const,
				share: null,
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
