import assert from "node:assert/strict";
import { after, before, beforeEach } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Tables } from "../../migrations/metadata/tables/index.ts";
import { openBigQueryStandIn, serviceAccount } from "./bigquery-stand-in.ts";
import { type ExportSite, exportSite } from "./export-site.ts";
import { renewSession } from "./renew-session.ts";
import { testApp } from "./test-app.ts";

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
type BigQuerySite = Awaited<ReturnType<typeof bigQuerySite>>;

type LogEntry = Record<string, unknown> & { readonly id: number; readonly status: string; readonly sync_type: string };

/** One for the tests of a file, with its sites disconnected and the stand-in emptied before each of them. */
export function sharedBigQuerySite(): BigQuerySite {
	const at = {} as BigQuerySite;
	before(async () => void Object.assign(at, await bigQuerySite()));
	beforeEach(() => at.reset());
	after(() => at.close());
	return at;
}

/** Opens an app that reaches a stand-in. */
async function bigQuerySite() {
	const google = await openBigQueryStandIn();
	const app = await testApp({ env: { BIGQUERY_URL: google.url }, seeksInsights: false });
	const site = await exportSite(app);
	/** A call as `POST /sync`, below `/integrations/bigquery`. */
	const call = async (route: string, body?: object, options?: Parameters<ExportSite["call"]>[2]) => {
		const headers = await renewSession(app, site.ann.userId);
		return site.call(route.replace(" ", " /integrations/bigquery"), body, { headers, ...options });
	};
	const tables = app.metadata.withTables<Tables>();
	const running = () =>
		tables.selectFrom("bigquery_syncs").select("id").where("running_site_id", "=", "shop").executeTakeFirst();
	return {
		app,
		site,
		google,
		call,
		/** A call that begins a sync, and the work that it waits for. */
		sync: async (route: string, body?: object) => {
			let isAnswered = false;
			const answer = call(route, body).finally(() => {
				isAnswered = true;
			});
			// The request answers after the job has ended, and the job exists once the request has committed it.
			while (!isAnswered && (await running()) === undefined) await setImmediate();
			await app.jobs.runDue();
			return answer;
		},
		/** Connects a site and does its first sync. */
		connect: async (body: object = {}, siteId = "shop") => {
			const answer = await call("POST ", { ...connection, ...body }, { query: `account_id=${siteId}` });
			assert.equal(answer.statusCode, 201, answer.body);
			await app.jobs.runDue();
		},
		/** Entries of the log, newest first. */
		logs: async (): Promise<LogEntry[]> => (await call("GET /logs")).json().logs,
		/** The day of each conversion row. */
		dates: () => google.rows("fact_conversions").map(({ date }) => date),
		/** Moves the clock and does what is due. */
		later: async (ms: number) => {
			app.clock.advance(ms);
			await app.jobs.runDue();
		},
		/** Disconnects the sites, empties the stand-in and sets the clock back to a moment. */
		reset: async (moment = "2026-11-21T12:00:00.000Z") => {
			for (const id of ["shop", "empty"]) await call("DELETE ", undefined, { query: `account_id=${id}` });
			app.clock.set(moment);
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
