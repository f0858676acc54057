import { after, before, beforeEach } from "node:test";
import { createSite, type Session, signIn } from "./accounts.ts";
import type { TestHit } from "./hits.ts";
import { requestOf } from "./request-of.ts";
import { type TestApp, testApp } from "./test-app.ts";

/** A service and, for each test, a site of its own in New York at noon UTC. */
export type CollectingSite = ReturnType<typeof collectingSite>;

/** Opens the service for the tests of a file; the fields may be read from the first test on. */
export function collectingSite(options: Parameters<typeof testApp>[0] = {}) {
	/** Another site of the owner may be put in its place. */
	const found = {} as { readonly app: TestApp; readonly owner: Session; site: string };
	before(async () => {
		const app = await testApp(options);
		Object.assign(found, { app, owner: await signIn(app) });
	});
	beforeEach(async () => {
		found.app.clock.set("2026-11-21T12:00:00.000Z");
		found.site = await createSite(found.app, found.owner, { timezone: "America/New_York" });
	});
	after(() => found.app.close());
	/** Rows of a query on the event store with the site as a parameter. */
	const query = (sql: string) =>
		found.app.eventStore.query<Record<string, unknown>>({ sql, params: { site: found.site } });
	/** The owner's request about the site, such as `PATCH /referrer-mappings/7`: its status with the body of its answer. */
	const call = async (request: string, body?: object): Promise<ReturnType<typeof JSON.parse>> => {
		// Routes name the site by the one or the other.
		const named = `account_id=${found.site}&site_id=${found.site}`;
		const response = await found.app.inject(requestOf(request, { headers: found.owner.headers, body, query: named }));
		return { status: response.statusCode, ...(response.body !== "" && response.json()) };
	};
	return Object.assign(found, {
		/** A page view of the site. */
		view: (path: string, more: Partial<TestHit> = {}): TestHit => {
			return { site: found.site, url: `https://shop.example${path}`, ...more };
		},
		/** Stored rows of the site, in order of time. */
		async storedRows(columns: string) {
			await found.app.collector?.flush();
			// Those of one moment in the order in which they came, in whichever insert.
			const order = "ts, kind, event_type, properties['n'], _part_index, _part_offset";
			return query(`SELECT ${columns} FROM events WHERE site = {site:String} ORDER BY ${order}`);
		},
		query,
		/** Hits of the last hour that were refused, or of which a part was lost: their number by reason. */
		async rejected(): Promise<Record<string, number>> {
			await found.app.collector?.flush();
			const { reasons } = (await call(`GET /sites/${found.site}/pixel/rejections`)).data;
			return Object.fromEntries(reasons.map((row: { reason: string; count: number }) => [row.reason, row.count]));
		},
		call,
		/** Status of a request that is refused, with the fields at fault or else the code. */
		async refusal(request: string, body?: object): Promise<unknown[]> {
			const { status, error } = await call(request, body);
			const fields = error.detail?.map(({ field }: { field: string }) => field);
			return [status, ...(fields?.sort() ?? [error.code])];
		},
	});
}
