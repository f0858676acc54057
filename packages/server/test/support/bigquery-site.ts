import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import type { LightMyRequestResponse } from "fastify";
import type { Tables } from "../../migrations/metadata/tables/index.ts";
import type { Session } from "./accounts.ts";
import { type BigQueryStandIn, openBigQueryStandIn, serviceAccount } from "./bigquery-stand-in.ts";
import { type ExportSite, exportSite } from "./export-site.ts";
import { renewSession } from "./renew-session.ts";
import { type TestApp, testApp } from "./test-app.ts";

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

/** Each table is some twenty requests. */
export const oneTable = { data_types: ["conversions"] };

/** A site with a few visits, and BigQuery's stand-in. */
export interface BigQuerySite {
	readonly app: TestApp;
	readonly site: ExportSite;
	readonly google: BigQueryStandIn;
	/** A call as `POST /sync`, below `/integrations/bigquery`. */
	call(route: string, body?: object, options?: Parameters<ExportSite["call"]>[2]): Promise<LightMyRequestResponse>;
	/** A call that begins a sync, and the work that it waits for. */
	sync(route: string, body?: object): Promise<LightMyRequestResponse>;
	/** Connects a site and does its first sync. */
	connect(body?: object, siteId?: string): Promise<void>;
	/** Entries of the log, newest first. */
	logs(): Promise<LogEntry[]>;
	/** The revenue of each conversion row of the site, by day. */
	dates(): unknown[];
	/** Moves the clock and does what is due; the session is opened anew. */
	later(ms: number): Promise<void>;
	/** Disconnects the sites, empties the stand-in and sets the clock back to a moment. */
	reset(moment?: string): Promise<void>;
	close(): Promise<void>;
}

interface LogEntry {
	readonly [field: string]: unknown;
	readonly id: number;
	readonly status: string;
	readonly sync_type: string;
}

/** Opens an app that reaches a stand-in. */
export async function bigQuerySite(options: { readonly dataDir?: string } = {}): Promise<BigQuerySite> {
	const google = await openBigQueryStandIn();
	const app = await testApp({ ...options, env: { BIGQUERY_URL: google.url } });
	const site = await exportSite(app);
	let headers: Session["headers"] = site.ann.headers;
	const call: BigQuerySite["call"] = (route, body, callOptions) => {
		const [method = "GET", path = ""] = route.split(" ");
		return site.call(`${method} /integrations/bigquery${path}`, body, { headers, ...callOptions });
	};
	const tables = app.metadata.withTables<Tables>();
	const running = () =>
		tables.selectFrom("bigquery_syncs").select("id").where("running_site_id", "=", "shop").executeTakeFirst();
	return {
		app,
		site,
		google,
		call,
		sync: async (route, body) => {
			let isAnswered = false;
			const answer = call(route, body).finally(() => {
				isAnswered = true;
			});
			// The request answers after the job has ended, and the job exists once the request has committed it.
			while (!isAnswered && (await running()) === undefined) await setImmediate();
			await app.jobs.runDue();
			return answer;
		},
		connect: async (body = {}, siteId = "shop") => {
			const answer = await call("POST ", { ...connection, ...body }, { query: `account_id=${siteId}` });
			assert.equal(answer.statusCode, 201, answer.body);
			await app.jobs.runDue();
		},
		logs: async () => (await call("GET /logs")).json().logs,
		dates: () => google.rows("fact_conversions").map(({ date }) => date),
		later: async (ms) => {
			app.clock.advance(ms);
			await app.jobs.runDue();
			headers = await renewSession(app, site.ann.userId);
		},
		reset: async (moment = "2026-11-21T12:00:00.000Z") => {
			for (const id of ["shop", "empty"]) await call("DELETE ", undefined, { query: `account_id=${id}` });
			app.clock.set(moment);
			headers = await renewSession(app, site.ann.userId);
			await app.jobs.runDue();
			await app.eventStore.command("ALTER TABLE events DELETE WHERE event_type = 'order' SETTINGS mutations_sync = 2");
			google.reset();
		},
		close: async () => {
			await app.close();
			await google.close();
		},
	};
}
