import assert from "node:assert/strict";
import { after, afterEach, before } from "node:test";
import type { Tables } from "../../migrations/metadata/tables/index.ts";
import type { EventRow } from "../../src/analytics/model/event-row.ts";
import type { DomainEvent } from "../../src/features/delivering/domain-events/index.ts";
import { createSite, signIn } from "./accounts.ts";
import { pageviewRow } from "./event-rows.ts";
import { insertRows } from "./oracle-app.ts";
import { renewSession } from "./renew-session.ts";
import { type TestApp, testApp } from "./test-app.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Sites of Ann that alert rules watch, and a clock that can be moved by days. */
export type WatchedSites = Awaited<ReturnType<typeof watchedSites>>;

/** The same for the tests of a file or a suite. */
export function watchSites(options: Parameters<typeof watchedSites>[0] = {}): WatchedSites {
	const watched = {} as WatchedSites;
	before(async () => void Object.assign(watched, await watchedSites(options)));
	// The rules and reports of one test would be worked on in all further ones.
	afterEach(async () => {
		const tables = watched.app.metadata.withTables<Tables>();
		await tables.updateTable("alert_rules").set({ is_active: 0 }).execute();
		await tables.updateTable("mail_reports").set({ is_active: 0 }).execute();
	});
	after(() => watched.app.close());
	return watched;
}

/** Lets a job be done as at a moment. Its schedule goes on from the latest moment it has seen, and tests go back in time. */
export async function runJobAt({ clock, jobs, metadata }: TestApp, kind: string, moment: string): Promise<void> {
	clock.set(moment);
	await jobs.enqueue(metadata, { kind });
	await jobs.runDue();
}

/** Opens them; the clock stands at a moment, the sites have no hits. */
export async function watchedSites(options: NonNullable<Parameters<typeof testApp>[0]> = {}) {
	const app = await testApp({ seeksInsights: false, ...options });
	const ann = await signIn(app);
	let sites = 0;
	const heard: DomainEvent[] = [];
	app.events.listen(async (event) => void heard.push(event));

	/** A call that may be refused, by a session that is never too old. */
	const ask = async (method: Method, url: string, payload?: object) => {
		const headers = await renewSession(app, ann.userId);
		return app.inject({ method, url: `/api/v1${url}`, headers, ...(payload && { payload }) });
	};
	/** The same for calls that must succeed; answers the body. */
	const call = async (method: Method, url: string, payload?: object): Promise<ReturnType<typeof JSON.parse>> => {
		const answer = await ask(method, url, payload);
		assert.ok(answer.statusCode < 300, `${method} ${url}: ${answer.statusCode} ${answer.body}`);
		return answer.statusCode === 204 ? undefined : answer.json();
	};
	/** Lets the rules be looked at as at a moment. */
	const look = (at: number) => runJobAt(app, "alert-evaluation", new Date(at + 10_000).toISOString());
	return {
		app,
		ask,
		call,
		look,
		/** A site of its own for a test. */
		site: async (timezone = "UTC") => {
			const headers = await renewSession(app, ann.userId);
			return createSite(app, { ...ann, headers }, { name: `Shop ${++sites}`, timezone, domains: [] });
		},
		/** Adds a rule and answers its id. */
		rule: async (site: string, body: object): Promise<number> =>
			(await call("POST", `/alerts/rules?account_id=${site}`, { name: "Watch", ...body })).id,
		store: (rows: readonly EventRow[]) => insertRows(app.eventStore, rows),
		lookOften: async (from: number, until: number, step: number) => {
			for (let at = from; at <= until; at += step) await look(at);
		},
		/** Alerts of the site's rules, newest first. */
		history: async (site: string): Promise<Readonly<Record<string, unknown>>[]> =>
			(await call("GET", `/alerts/history?account_id=${site}`)).alerts,
		state: async (site: string, rule: number): Promise<string> =>
			(await call("GET", `/alerts/rules/${rule}?account_id=${site}`)).state,
		/** Published events of a site. */
		events: (site: string) => heard.filter(({ siteId }) => siteId === site),
	};
}

/** Page views, one after the other, spread over a stretch of time. */
export const views = (
	site: string,
	from: number,
	until: number,
	count: number,
	values: Partial<EventRow> = {},
): EventRow[] =>
	Array.from({ length: count }, (_, index) =>
		pageviewRow({ ...values, site, ts: from + Math.floor(((until - from) * index) / count) }),
	);

/** So many page views in each of the hours before a moment. */
export const steadyHours = (site: string, until: number, hours: number, each: number): EventRow[] =>
	Array.from({ length: hours }, (_, index) =>
		views(site, until - (index + 1) * HOUR, until - index * HOUR, each),
	).flat();
