import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHit } from "../../../../test/support/hits.ts";
import { testApp } from "../../../../test/support/test-app.ts";

const home = collectingSite();

/** The figures of the process: names with their labels, as Prometheus reads them. */
async function figures(): Promise<Map<string, number>> {
	const answer = await home.app.inject({ url: "/metrics" });
	assert.equal(answer.statusCode, 200);
	assert.match(String(answer.headers["content-type"]), /^text\/plain; version=0\.0\.4/);
	const lines = answer.body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
	return new Map(
		lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
	);
}

test("hits are counted by what became of them, from zero on", async () => {
	const earlier = await figures();
	const count = (now: Map<string, number>, outcome: string) => {
		const name = `footfall_hits_total{outcome="${outcome}"}`;
		return (now.get(name) ?? Number.NaN) - (earlier.get(name) ?? Number.NaN);
	};
	await sendHit(home.app, home.view("/"));
	await sendHit(home.app, home.view("/two"));
	await sendHit(home.app, home.view("/", { token: "forged" }));
	await sendHit(home.app, { ...home.view("/"), site: "nobody" });
	const now = await figures();
	assert.deepEqual(
		["kept", "invalid_token", "invalid_account", "quota_exceeded", "unstored"].map((outcome) => count(now, outcome)),
		[2, 1, 1, 0, 0],
	);
	await home.app.collector?.flush();
	const stored = await figures();
	assert.equal(stored.get("footfall_spool_waiting_bytes"), 0);
	const inserts = 'footfall_event_store_seconds_count{work="insert",outcome="done"}';
	assert.ok((stored.get(inserts) ?? 0) > (earlier.get(inserts) ?? 0), "the insert of the hits was timed");
});

test("a report that is asked again is answered from memory, and each answer is timed by its part of the API", async () => {
	const url = `/api/v1/stats/overview?site_id=${home.site}&period=7d`;
	const earlier = await figures();
	for (const _ of [1, 2]) await home.app.inject({ url, headers: home.owner.headers });
	await home.app.inject({ url: "/api/v1/stats/overview", headers: home.owner.headers });
	const now = await figures();
	const rise = (name: string) => (now.get(name) ?? 0) - (earlier.get(name) ?? 0);
	assert.ok(rise('footfall_report_answers_total{from="store"}') >= 1);
	const found = rise('footfall_report_answers_total{from="memory"}');
	assert.equal(found, rise('footfall_report_answers_total{from="store"}'));
	assert.equal(rise('footfall_http_request_seconds_count{part="stats",status="2xx"}'), 2);
	assert.equal(rise('footfall_http_request_seconds_count{part="stats",status="4xx"}'), 1);
});

test("memory, event loop, jobs and disk of the process are told, and no name of a customer", async () => {
	const now = await figures();
	for (const name of [
		"process_resident_memory_bytes",
		"process_start_time_seconds",
		"nodejs_eventloop_lag_p99_seconds",
		"footfall_disk_free_bytes",
	])
		assert.ok((now.get(name) ?? 0) > 0, name);
	assert.ok([...now.keys()].some((name) => name.startsWith("footfall_info{version=")));
	assert.equal(now.get("footfall_job_due_seconds"), 0);
	const values = ["footfall_accounts_up", "footfall_redis_away", "footfall_clock_seconds"].map((name) => now.get(name));
	assert.deepEqual(values, [1, 0, Date.parse("2026-11-21T12:00:00.000Z") / 1000]);
	assert.ok(!now.has("footfall_certificate_end_seconds"), "TLS belongs to a proxy");
	assert.ok(![...now.keys()].some((name) => name.includes(home.site)));
});

test("in production the figures are closed without METRICS_TOKEN, and open to whoever has it", async () => {
	const statusesOf = async (env: Readonly<Record<string, string>>, ...tokens: readonly string[]) => {
		await using app = await testApp({ env: { NODE_ENV: "production", ...env } });
		const ask = (token: string) => app.inject({ url: "/metrics", headers: { authorization: `Bearer ${token}` } });
		return (await Promise.all(tokens.map(ask))).map(({ statusCode }) => statusCode);
	};
	assert.deepEqual(await statusesOf({}, ""), [403]);
	assert.deepEqual(await statusesOf({ METRICS_TOKEN: "open sesame" }, "wrong", "open sesame"), [403, 200]);
});

test("the rules and the dashboard that come with the service ask for figures that there are", async () => {
	const { body } = await home.app.inject({ url: "/metrics" });
	const told = new Set(body.match(/(?<=^# TYPE )\w+/gm));
	for (const file of ["alerts.yaml", "grafana.json"]) {
		const text = await readFile(new URL(`../../../../../../deploy/monitoring/${file}`, import.meta.url), "utf8");
		const asked = new Set(text.match(/\b(?:footfall|nodejs|process)_[a-z0-9_]+/g));
		assert.ok(asked.size > 8, file);
		const unknown = [...asked].filter((name) => !told.has(name.replace(/_(?:bucket|count|sum)$/, "")));
		assert.deepEqual(unknown, [], file);
	}
});
