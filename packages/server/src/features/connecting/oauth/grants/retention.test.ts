import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import { type AccountsApp, onBothEngines, type SignedIn } from "../../../../../test/support/accounts-app.ts";
import { appTokens, askForAccess, registerApp, sendForm } from "../../../../../test/support/app-token.ts";
import { dropEndedAccess } from "../index.ts";

const DAY = 86_400_000;
const names = ["oauth_clients", "oauth_requests", "oauth_grants", "oauth_codes", "oauth_tokens"] as const;

onBothEngines("what is kept of apps", (open) => {
	let app: AccountsApp;
	let ann: SignedIn;
	let site: string;
	before(async () => {
		app = await open();
		ann = await app.user("Ann");
		site = await app.site(ann);
	});
	after(() => app.close());

	/** Number of rows of each table. */
	async function rows(): Promise<readonly number[]> {
		const counts: number[] = [];
		for (const name of names) {
			const { rows: found } = await sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`.execute(
				app.metadata,
			);
			counts.push(Number(found[0]?.n));
		}
		return counts;
	}
	const later = async (ms: number) => {
		app.clock.advance(ms);
		await dropEndedAccess(app);
		return rows();
	};

	test("requests go when they are over, unused apps after a week, grants a day after their end, their apps after a year", async () => {
		const unused = await registerApp(app);
		await askForAccess(app, unused);
		const used = await appTokens(app, { headers: ann.headers, site });
		await appTokens(app, { headers: ann.headers, site, clientId: used.clientId, scope: "analytics:read" });
		const ended = await appTokens(app, { headers: ann.headers, site, clientId: used.clientId });
		await sendForm(app, "/oauth/revoke", { token: ended.refreshToken });
		assert.deepEqual(await rows(), [2, 4, 3, 3, 5]);
		assert.deepEqual(await later(30 * 60_000 - 1), [2, 4, 3, 3, 5]);
		assert.deepEqual(await later(1), [2, 0, 3, 3, 5]);
		// The revoked grant, an hour before the one that had no refresh token.
		assert.deepEqual(await later(DAY - 30 * 60_000), [2, 0, 2, 2, 3]);
		assert.deepEqual(await later(60 * 60_000), [2, 0, 1, 1, 1]);
		assert.deepEqual(await later(6 * DAY - 60 * 60_000 - 1), [2, 0, 1, 1, 1]);
		assert.deepEqual(await later(1), [1, 0, 1, 1, 1]);
		const refreshed = await sendForm(app, "/oauth/token", {
			grant_type: "refresh_token",
			client_id: used.clientId,
			refresh_token: used.refreshToken,
		});
		assert.equal(refreshed.statusCode, 200);
		assert.deepEqual(await later(25 * DAY), [1, 0, 1, 1, 1]);
		assert.deepEqual(await later(6 * DAY - 1), [1, 0, 1, 1, 1]);
		assert.deepEqual(await later(1), [1, 0, 0, 0, 0]);
		assert.deepEqual(await later(327 * DAY - 1), [1, 0, 0, 0, 0]);
		assert.deepEqual(await later(1), [0, 0, 0, 0, 0]);
	});
});
