import assert from "node:assert/strict";
import { test } from "node:test";
import { accountsApp } from "../../../../test/support/accounts-app.ts";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHits } from "../../../../test/support/hits.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const here = collectingSite();

async function pixel(path: string) {
	const url = `/api/v1/sites/${here.site}/pixel${path}`;
	return (await here.app.inject({ url, headers: here.owner.headers })).json().data;
}

test("the pixel counts as installed when hits came in the last 14 days", async () => {
	const never = { installed: false, first_hit_at: null, last_hit_at: null, total_hits: 0 };
	const unseen = {
		account_id: here.site,
		site_id: here.site,
		...never,
		script_requests: 0,
		last_script_request_at: null,
	};
	assert.deepEqual(await pixel("/status"), unseen);
	const start = here.app.clock.now();
	here.app.clock.set(new Date(start - 14 * DAY - 1).toISOString());
	await sendHits(here.app, [here.view("/")]);
	here.app.clock.set(new Date(start).toISOString());
	const before = { ...unseen, first_hit_at: "2026-11-07T11:59:59.999Z", last_hit_at: "2026-11-07T11:59:59.999Z" };
	assert.deepEqual(await pixel("/status"), before);
	await sendHits(here.app, [here.view("/"), here.view("/", { event: "order" })]);
	const now = { installed: true, last_hit_at: "2026-11-21T12:00:00.000Z", total_hits: 2 };
	assert.deepEqual(await pixel("/status"), { ...before, ...now });
});

test("rejections are shown as the collector counted them in the minutes asked for, and nowhere without a collector", async () => {
	const strange = here.view("/", { url: "https://evil.example/" });
	await sendHits(here.app, [strange, here.view("/")]);
	here.app.clock.advance(10 * MINUTE);
	await sendHits(here.app, [strange, strange, here.view("/")]);
	const shown = (window_minutes: number, accepted: number, rejected: number) => {
		const origins = [{ origin: "https://evil.example", count: rejected }];
		const reasons = [{ reason: "invalid_domain", count: rejected, origins }];
		return { account_id: here.site, window_minutes, available: true, accepted, rejected, reasons };
	};
	assert.deepEqual(await pixel("/rejections?minutes=5"), shown(5, 1, 2));
	assert.deepEqual(await pixel("/rejections"), shown(60, 2, 3));
	await using apart = await accountsApp({ env: { ROLES: "api,jobs" } });
	const as = await apart.user("Ann");
	await apart.site(as);
	const { data } = (await apart.call("GET /sites/shop/pixel/rejections", { as })).json();
	const none = { available: false, accepted: 0, rejected: 0, reasons: [] };
	assert.deepEqual(data, { account_id: "shop", window_minutes: 60, ...none });
});
