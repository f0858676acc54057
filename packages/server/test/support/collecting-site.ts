import { after, before, beforeEach } from "node:test";
import { createSite, type Session, signIn } from "./accounts.ts";
import type { TestHit } from "./hits.ts";
import { type TestApp, testApp } from "./test-app.ts";

/**
 * A service for the tests of a file and, for each of them, a site of its own in New York at noon UTC; the fields may be read
 * from the first test on.
 */
export function collectingSite() {
	const found = {} as { app: TestApp; owner: Session; site: string };
	before(async () => {
		found.app = await testApp();
		found.owner = await signIn(found.app);
	});
	beforeEach(async () => {
		found.app.clock.set("2026-11-21T12:00:00.000Z");
		found.site = await createSite(found.app, found.owner, { timezone: "America/New_York" });
	});
	after(() => found.app.close());
	return Object.assign(found, {
		view: (path: string, more: Partial<TestHit> = {}): TestHit => {
			return { site: found.site, url: `https://shop.example${path}`, ...more };
		},
		/** Stored rows of the site, in order of time. */
		async storedRows(columns: string) {
			await found.app.collector?.flush();
			// Those of one moment in the order in which they came, in whichever insert.
			const order = "ts, kind, event_type, properties['n'], _part_index, _part_offset";
			const sql = `SELECT ${columns} FROM events WHERE site = {site:String} ORDER BY ${order}`;
			return found.app.eventStore.query<Record<string, unknown>>({ sql, params: { site: found.site } });
		},
	});
}
