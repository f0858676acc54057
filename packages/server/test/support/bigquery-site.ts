import assert from "node:assert/strict";
import type { LightMyRequestResponse } from "fastify";
import type { Tables } from "../../migrations/metadata/tables/index.ts";
import { signInAgain } from "./accounts.ts";
import { type BigQueryStandIn, openBigQueryStandIn, serviceAccount } from "./bigquery-stand-in.ts";
import { type ExportSite, exportSite } from "./export-site.ts";
import type { TestApp } from "./test-app.ts";
import { until } from "./until.ts";

const merges = (text: string) => text.includes("MERGE `") && text.includes("fact_");

/** The first days of the parts that were put into tables, in their order. */
export const mergedDays = (google: BigQueryStandIn): string[] =>
	google.requests
		.map(({ body }) => body.toString("latin1"))
		.filter(merges)
		.map((text) => /"date_from".*?"value":"([\d-]+)"/.exec(text)?.[1] ?? "");

/** The body of a connection. */
export const connection = {
	service_account: serviceAccount,
	gcp_project_id: "shop-project",
	initial_date_from: "2026-11-19",
	initial_date_to: "2026-11-21",
};

/** A site with a few visits, and BigQuery's stand-in. */
export interface BigQuerySite {
	readonly app: TestApp;
	readonly site: ExportSite;
	readonly google: BigQueryStandIn;
	/** A call as `POST /sync`, below `/integrations/bigquery`. */
	call(route: string, body?: object, options?: Parameters<ExportSite["call"]>[2]): Promise<LightMyRequestResponse>;
	/** A call that begins a sync, and the work that it waits for. */
	sync(route: string, body?: object, siteId?: string): Promise<LightMyRequestResponse>;
	/** Connects a site and does its first sync. */
	connect(body?: object, siteId?: string): Promise<void>;
	/** Entries of the log, newest first. */
	logs(siteId?: string): Promise<LogEntry[]>;
	/** Moves the clock and does what is due; the session is opened anew. */
	later(ms: number): Promise<void>;
	close(): Promise<void>;
}

interface LogEntry {
	readonly [field: string]: unknown;
	readonly id: number;
	readonly status: string;
	readonly sync_type: string;
}

/** Fills an app that reaches a stand-in. */
export async function bigQuerySite(
	open: (env: Readonly<Record<string, string>>) => Promise<TestApp>,
): Promise<BigQuerySite> {
	const google = await openBigQueryStandIn();
	const app = await open({ BIGQUERY_URL: google.url });
	const site = await exportSite(app);
	let { headers } = site.ann;
	const call: BigQuerySite["call"] = (route, body, options) => {
		const [method = "GET", path = ""] = route.split(" ");
		return site.call(`${method} /integrations/bigquery${path}`, body, { headers, ...options });
	};
	const running = async (siteId: string) =>
		(
			await app.metadata
				.withTables<Tables>()
				.selectFrom("bigquery_syncs")
				.select("id")
				.where("running_site_id", "=", siteId)
				.execute()
		).length > 0;
	const sync: BigQuerySite["sync"] = async (route, body, siteId = "shop") => {
		let answered = false;
		const asked = call(route, body, { query: `account_id=${siteId}` }).finally(() => {
			answered = true;
		});
		await until(async () => answered || (await running(siteId)));
		await app.jobs.runDue();
		return asked;
	};
	return {
		app,
		site,
		google,
		call,
		sync,
		connect: async (body = {}, siteId = "shop") => {
			const answer = await call("POST ", { ...connection, ...body }, { query: `account_id=${siteId}` });
			assert.equal(answer.statusCode, 201, answer.body);
			await app.jobs.runDue();
		},
		logs: async (siteId = "shop") =>
			(await call("GET /logs", undefined, { query: `account_id=${siteId}` })).json().logs,
		later: async (ms) => {
			app.clock.advance(ms);
			await app.jobs.runDue();
			({ headers } = await signInAgain(app, site.ann));
		},
		close: async () => {
			await app.close();
			await google.close();
		},
	};
}
