import assert from "node:assert/strict";
import { test } from "node:test";
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
	const unseen = {
		account_id: here.site,
		site_id: here.site,
		installed: false,
		first_hit_at: null,
		last_hit_at: null,
		total_hits: 0,
		script_requests: 0,
		last_script_request_at: null,
	};
	assert.deepEqual(await pixel("/status"), unseen);
	const start = here.app.clock.now();
	here.app.clock.set(new Date(start - 14 * DAY - 1).toISOString());
	await sendHits(here.app, [here.view("/")]);
	await here.app.collector?.flush();
	here.app.clock.set(new Date(start).toISOString());
	const before = { ...unseen, first_hit_at: "2026-11-07T11:59:59.999Z", last_hit_at: "2026-11-07T11:59:59.999Z" };
	assert.deepEqual(await pixel("/status"), before);
	await sendHits(here.app, [here.view("/"), here.view("/", { event: "order" })]);
	await here.app.collector?.flush();
	assert.deepEqual(await pixel("/status"), {
		...before,
		installed: true,
		last_hit_at: "2026-11-21T12:00:00.000Z",
		total_hits: 2,
	});
});

test("rejections are shown as the collector counted them in the minutes asked for", async () => {
	const strange = here.view("/", { url: "https://evil.example/" });
	await sendHits(here.app, [strange, here.view("/")]);
	here.app.clock.advance(10 * MINUTE);
	await sendHits(here.app, [strange, strange, here.view("/")]);
	const shown = (minutes: number, accepted: number, rejected: number) => ({
		account_id: here.site,
		window_minutes: minutes,
		available: true,
		accepted,
		rejected,
		reasons: [
			{
				reason: "invalid_domain",
				count: rejected,
				origins: [{ origin: "https://evil.example", count: rejected }],
			},
		],
	});
	assert.deepEqual(await pixel("/rejections?minutes=5"), shown(5, 1, 2));
	assert.deepEqual(await pixel("/rejections"), shown(60, 2, 3));
});
