import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import type { Tables } from "../../migrations/metadata/tables/index.ts";
import type { DomainEvent } from "../../src/features/delivering/domain-events/index.ts";
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import { appOnBothEngines } from "./app-on-both-engines.ts";
import { days, type ExportSite, exportSite } from "./export-site.ts";

/** A site whose exports are watched from the inside; new for each test. */
export interface WatchedExports {
	readonly site: ExportSite;
	/** Events that the service announced. */
	readonly told: readonly DomainEvent[];
	/** What happens before the engine counts the rows of a file. */
	beforeCount: () => Promise<void>;
	/** What happens before each piece of a file. */
	beforePiece: () => Promise<void>;
	/** Names of the stored files. */
	files(): readonly string[];
	/** Puts the organization on another plan. */
	plan(tier: "free" | "growth" | "scale" | "enterprise"): Promise<unknown>;
	/** Asks for the conversions that `addConversions` adds. */
	askForOrders(body?: object): Promise<LightMyRequestResponse>;
}

/** What `askForOrders` asks for. */
export const orders = { export_type: "conversions", ...days, filters: { conversion_type: "order" } };

const nothing = async () => {};

/** Runs a suite on sites with exports, with accounts in SQLite and in PostgreSQL. */
export function exportsOnBothEngines(title: string, suite: (at: WatchedExports) => void): void {
	appOnBothEngines(title, (open) => {
		const at = { beforeCount: nothing, beforePiece: nothing } as {
			-readonly [Key in keyof WatchedExports]: WatchedExports[Key];
		};
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
		beforeEach(async () => {
			const site = await exportSite(await open({ wrapEventStore, env: { REPORT_CACHE_BYTES: "0" } }));
			const told: DomainEvent[] = [];
			site.app.events.listen(async (event) => void told.push(event));
			Object.assign(at, { site, told, beforeCount: nothing, beforePiece: nothing });
		});
		afterEach(() => at.site.app.close());
		at.files = () => filesBelow(at.site.app.config.dataDir);
		at.plan = (tier) =>
			at.site.app.metadata.withTables<Tables>().updateTable("organizations").set({ plan_tier: tier }).execute();
		at.askForOrders = (body = {}) => at.site.call("POST /exports", { ...orders, ...body });
		suite(at);
	});
}

/** Names of the stored files of a service. */
export function filesBelow(dataDir: string): readonly string[] {
	try {
		return readdirSync(join(dataDir, "exports"));
	} catch {
		return [];
	}
}
