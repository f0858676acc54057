import assert from "node:assert/strict";
import { test } from "node:test";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHit, sendHits } from "../../../../test/support/hits.ts";

const limits = { MAX_AMOUNT: "100", NEW_VISITS_PER_ADDRESS: "3", SESSION_MEMORY: "1MB" };
const here = collectingSite({ env: { ...limits, PUBLIC_URL: "http://stats.example.com" } });

test("the script sends to PUBLIC_URL, whatever host its page asks", async () => {
	const script = await here.app.inject({ url: `/t.js?id=${here.site}`, headers: { host: "other.example" } });
	assert.match(script.body, /"http:\/\/stats\.example\.com\/"/);
});

test("an amount above MAX_AMOUNT, or as far below zero, counts as 0", async () => {
	const amounts = [100, -100, 100.0001, 99];
	const hits = amounts.map((amount) => here.view("/", { event: "order", amount }));
	await sendHits(here.app, hits);
	const sums =
		"SELECT sum(conversion) AS sales, toFloat64(sum(revenue)) AS revenue FROM events WHERE site = {site:String}";
	assert.deepEqual(await here.query(sums), [{ sales: 4, revenue: 99 }]);
});

test("NEW_VISITS_PER_ADDRESS visits a minute begin at one address or /64 network; those that run go on", async () => {
	const agent = (n: number) => `Mozilla/5.0 (X11; Linux x86_64; rv:${n}.0) Gecko/20100101 Firefox/${n}.0`;
	const send = (n: number, ip: string, path = `/${n}`) =>
		sendHit(here.app, here.view(path, { ip, userAgent: agent(n) }));
	for (const n of [101, 102, 103, 104, 105]) await send(n, "192.0.2.7");
	await send(101, "192.0.2.7", "/goes-on");
	for (const n of [111, 112, 113]) await send(n, `2001:db8::${n}`);
	await send(114, "2001:db8:0:0:ffff::1");
	await send(115, "2001:db8:0:1::1");
	await send(121, "192.0.2.8");
	assert.deepEqual(await here.rejected(), { rate_limit: 3 });
	here.app.clock.advance(60_000);
	await send(104, "192.0.2.7", "/later");
	// A visit that was refused never began, so that its next page is an entrance.
	const rows = await here.storedRows("path, entrance, kind");
	const paths = (entrance: number) =>
		rows.flatMap((row) => (row["kind"] === "pageview" && row["entrance"] === entrance ? [row["path"]] : [])).sort();
	assert.deepEqual(paths(0), ["/goes-on"]);
	const begun = ["/101", "/102", "/103", "/111", "/112", "/113", "/115", "/121", "/later"];
	assert.deepEqual(paths(1), begun);
});

test("when visits fill SESSION_MEMORY the oldest end, and the latest go on", async () => {
	const send = (visitor: number, path: string, referrer = "") =>
		sendHit(here.app, here.view(path, { ip: `198.51.${visitor >> 8}.${visitor & 255}`, referrer }));
	// Some three kilobytes of it are kept with the visit, so a megabyte is full long before the last visitor.
	const campaign = ["source", "medium", "campaign", "term", "content"].map((name) => `utm_${name}=${"z".repeat(255)}`);
	const long = (visitor: number) =>
		`/${visitor}${"x".repeat(1000)}?${campaign.join("&")}${visitor}&rest=${"y".repeat(10_000)}`;
	for (let visitor = 0; visitor < 600; visitor += 20) {
		await Promise.all(Array.from({ length: 20 }, (_, index) => send(visitor + index, long(visitor + index))));
	}
	for (const visitor of [0, 599]) await send(visitor, `/next/${visitor}`, "https://shop.example/");
	const rows = await here.storedRows("path, kind, entrance, rejoined");
	const next = rows.filter(({ path, kind }) => kind === "pageview" && String(path).startsWith("/next/"));
	assert.deepEqual(next.map(({ path, entrance, rejoined }) => [path, entrance, rejoined]).sort(), [
		["/next/0", 1, 1],
		["/next/599", 0, 0],
	]);
});

test("without LEGACY_API_URL the routes of migrations answer 503 and name it", async () => {
	const path = `/migration/accounts/${here.site}/jobs`;
	const days = { date_from: "2026-10-01", date_to: "2026-10-31" };
	const job = { v1_email: "ann@old.example", v1_password: "x", v1_account_id: "a", ...days };
	for (const [request, payload] of [[`GET ${path}`], [`POST ${path}`, job]] as const) {
		const { status, error } = await here.call(request, payload);
		assert.deepEqual([status, error.message], [503, "LEGACY_API_URL is not set"]);
	}
});
