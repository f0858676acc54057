import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { createSite, signIn, signInAgain } from "../../../../test/support/accounts.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { askToDelete, type Deletion, finishDeletions, removeFilesAtOnce } from "../../../../test/support/deletions.ts";
import { sendHit, type TestHit } from "../../../../test/support/hits.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { fieldsOf } from "../../../../test/support/refusals.ts";
import { isSplit, testApp } from "../../../../test/support/test-app.ts";
import { siteMembers } from "../sites/index.ts";

const DAY = 86_400_000;
let shop: string;
let other: string;
/** Runs before each command to the event store. */
let beforeCommand: () => Promise<void> | undefined = () => undefined;

const app = await testApp({
	now: "2026-11-19T12:00:00.000Z",
	seeksInsights: false,
	outbound: { resolveName: (_name, _options, done) => done(new Error("No such name"), []) },
	wrapEventStore: (store) => ({
		...store,
		command: async (...given) => {
			await beforeCommand();
			return store.command(...given);
		},
	}),
});
await removeFilesAtOnce(app);
let ann = await signIn(app);
beforeEach(async () => {
	app.clock.set("2026-11-19T12:00:00.000Z");
	ann = await signInAgain(app, ann);
	shop = await createSite(app, ann);
	other = await createSite(app, ann, { name: "Other" });
});
after(() => app.close());

/** Sessions end while months go by. */
async function send(method: "GET" | "PATCH" | "DELETE" | "POST", url: string, payload?: object) {
	const ask = () => app.inject({ method, url: `/api/v1${url}`, headers: ann.headers, ...(payload && { payload }) });
	const answer = await ask();
	if (answer.statusCode !== 401) return answer;
	ann = await signInAgain(app, ann);
	return ask();
}
const get = async (url: string) => (await send("GET", url)).json().data;

const hit = async (site: string, path: string, more: Partial<TestHit> = {}) => {
	assert.equal(await sendHit(app, { site, url: `https://shop.example${path}`, ...more }), 204);
};

/** A visit on each site, with a click id, a purchase, and somebody who looks like a bot. */
async function visitBoth(ip: string): Promise<void> {
	for (const site of [shop, other]) {
		await hit(site, `/?gclid=click-${ip}`, { ip });
		await hit(site, "/two", { ip });
		await hit(site, "/two", { ip, event: "purchase", amount: 10 });
		await hit(site, "/", { ip: "203.0.113.99", userAgent: "curl/8.5.0" });
	}
	await app.collector?.flush();
}

/** Visits at noon of 19, 20 and 21 November; it is noon of the 22nd then. */
async function visitThreeDays(): Promise<void> {
	for (const ip of ["203.0.113.1", "203.0.113.2", "203.0.113.3"]) {
		await visitBoth(ip);
		app.clock.advance(DAY);
	}
	ann = await signInAgain(app, ann);
}

const period = "start_date=2026-11-19&end_date=2026-11-22";

/** Figures of all reports of a site, and its suspicious hits. */
async function figures(site: string) {
	const answers = [await get(`/bot-stats/overview?account_id=${site}&days=30`)];
	for (const report of ["overview", "sources", "pages", "landing-pages", "geo/countries", "conversions", "channels"]) {
		answers.push((await send("GET", `/stats/${report}?account_id=${site}&${period}`)).json());
	}
	return JSON.parse(JSON.stringify(answers).replaceAll(/"timestamp":"[^"]*"/g, '"timestamp":""'));
}

const days = async (site: string, table = "events") => {
	const sql = `SELECT toString(date) AS date, count() AS rows FROM ${table} WHERE site = {site:String} GROUP BY date ORDER BY date`;
	const found = await app.eventStore.query<{ date: string; rows: number }>({ sql, params: { site } });
	return Object.fromEntries(found.map(({ date, rows }) => [date, rows]));
};

/** Entrances by day, as sums of a projection. */
const entrances = async (site: string): Promise<number[]> => {
	const { entrances_series: series } = await get(`/stats/overview?account_id=${site}&${period}&granularity=daily`);
	return series.points.map(({ value }: { value: number }) => value);
};

/** All that lies in the data directory beside the engine's files. */
const filesOf = (folder: string) =>
	readdirSync(join(app.config.dataDir, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
		.join("\n");

const deletionsOf = async (site: string) => (await get(`/sites/${site}/data-deletions`)).deletions as Deletion[];

test("a day in the midst goes from every report, with its suspicious hits, and nothing else does", async () => {
	await visitThreeDays();
	const before = await figures(other);
	assert.deepEqual(await entrances(shop), [1, 1, 1, 0]);
	const { "2026-11-20": gone = 0, ...kept } = await days(shop);
	const asked = await askToDelete(app, ann, shop, { from: "2026-11-20", to: "2026-11-20" });
	assert.deepEqual([asked.status, asked.step, asked.progress_percent], ["pending", "collectors", 0]);
	await finishDeletions(app);
	const done = await get(`/sites/${shop}/data-deletions/${asked.id}`);
	assert.deepEqual(await deletionsOf(shop), [done]);
	assert.deepEqual([done.status, done.progress_percent], ["completed", 100]);
	assert.equal(done.deleted_rows, gone + 1, "the suspicious hit counts too");
	assert.deepEqual(await days(shop), kept);
	assert.deepEqual(Object.keys(await days(shop, "bot_hits")), ["2026-11-19", "2026-11-21"]);
	assert.deepEqual(await entrances(shop), [1, 0, 1, 0]);
	assert.deepEqual(await figures(other), before);
	const entry = (await auditTrail(app, "data_deletion.started")).at(-1);
	assert.deepEqual(entry?.details, { from: "2026-11-20", to: "2026-11-20" });
});

test("everything goes: rows, files, click ids and counts of what was refused; what comes later stays and begins anew", async () => {
	await visitBoth("203.0.113.1");
	await sendHit(app, { site: shop, url: "https://elsewhere.example/" });
	assert.match(filesOf("spool"), new RegExp(`${shop}\t`));
	assert.match(filesOf("sessions"), new RegExp(` ${shop}\n`));
	const before = await figures(other);
	app.clock.advance(1000);
	await askToDelete(app, ann, shop);
	// The visit would run on.
	app.clock.advance(1000);
	await hit(shop, "/later", { ip: "203.0.113.1" });
	await finishDeletions(app);
	assert.deepEqual(await entrances(shop), [1, 0, 0, 0]);
	for (const folder of ["spool", "sessions"]) {
		const lines = filesOf(folder).split("\n");
		const ofShop = lines.filter((line) => line.includes(`${shop}\t`) || line.endsWith(` ${shop}`));
		// A collector of its own forgot before that hit came, and has it in its spool until that is full.
		const unexpected = ofShop.filter((line) => !isSplit || !line.includes("\t/later\t"));
		assert.deepEqual(unexpected, []);
	}
	await hit(shop, "/clicked?gclid=click-203.0.113.1", { ip: "203.0.113.4" });
	await app.collector?.flush();
	const sql = "SELECT path, entrance, landing_path, clid FROM events WHERE site = {site:String} ORDER BY ts, path DESC";
	assert.deepEqual(await app.eventStore.query({ sql, params: { site: shop } }), [
		{ path: "/later", entrance: 1, landing_path: "/later", clid: "" },
		{ path: "/clicked", entrance: 1, landing_path: "/clicked", clid: "click-203.0.113.1" },
	]);
	assert.deepEqual(await days(shop, "bot_hits"), {});
	const rejections = await get(`/sites/${shop}/pixel/rejections?minutes=1440`);
	assert.deepEqual([rejections.accepted, rejections.rejected], [isSplit ? 2 : 1, 0]);
	assert.deepEqual(await figures(other), before);
	assert.match(filesOf("sessions"), new RegExp(` ${other}\n`));
});

test("alerts, webhook deliveries and files of exports of deleted days go, those of other days and sites stay", async () => {
	const busy = { condition_type: "absolute_threshold", threshold_value: 1, comparison_window: "24h" };
	const hook = { name: "Hook", url: "https://hooks.example.com/in", event_types: ["goal.reached"] };
	const ends = await Array.fromAsync([shop, other], async (site) => {
		const of = `?account_id=${site}`;
		await send("POST", `/alerts/rules${of}`, { name: "Busy", ...busy, notify_email: false });
		const { id } = (await send("POST", `/webhooks${of}`, hook)).json();
		return { test: `/webhooks/${id}/test${of}`, lists: [`/alerts/history${of}`, `/webhooks/${id}/deliveries${of}`] };
	});
	await visitBoth("203.0.113.1");
	for (let day = 0; day < 2; day++) {
		await app.jobs.enqueue(app.metadata, { kind: "alert-evaluation" });
		await app.jobs.runDue();
		for (const { test: url } of ends) assert.equal((await send("POST", url, {})).statusCode, 200);
		app.clock.advance(DAY);
	}
	/** Alerts and deliveries of both sites. */
	const lists = ends.flatMap((end) => end.lists);
	const totals = () => Array.fromAsync(lists, async (list) => (await send("GET", list)).json().total);
	assert.deepEqual(await totals(), [1, 2, 1, 2]);
	const make = async (date_from: string, date_to: string): Promise<string> => {
		const body = { export_type: "conversions", date_from, date_to };
		return (await send("POST", `/exports?account_id=${shop}`, body)).json().job.job_id;
	};
	const [within, outside] = [await make("2026-11-19", "2026-11-20"), await make("2026-11-20", "2026-11-20")];
	await app.jobs.runDue();
	const files = () => readdirSync(join(app.config.dataDir, "exports"));
	assert.equal(files().length, 2);
	await askToDelete(app, ann, shop, { to: "2026-11-19" });
	await finishDeletions(app);
	assert.deepEqual(await totals(), [0, 1, 1, 2]);
	const status = async (id: string) => (await send("GET", `/exports/${id}?account_id=${shop}`)).statusCode;
	assert.deepEqual([await status(within), await status(outside)], [404, 200]);
	assert.ok(files().length === 1 && files()[0]?.startsWith(outside));
});

test("a shorter retention wants confirm, is mailed to owners, and deletes older days seven days later", async () => {
	await visitThreeDays();
	const bob = await signIn(app, { email: `bob-${shop}@example.com`, name: "Bob" });
	await siteMembers.insert(app.metadata, {
		site_id: shop,
		user_id: bob.userId,
		role: "owner",
		created_at: app.clock.now(),
	});
	const keep = (months: number | null, confirm?: string) =>
		send("PATCH", `/sites/${shop}`, { data_retention_months: months, ...(confirm && { confirm }) });
	for (const confirm of [undefined, other]) {
		assert.deepEqual(fieldsOf(await keep(1, confirm)), [422, "body.confirm"]);
	}
	const retentionOf = async () => {
		const { data_retention_months: months, data_retention_pending: pending } = await get(`/sites/${shop}`);
		return [months, pending];
	};
	assert.deepEqual(await retentionOf(), [null, null]);
	assert.equal((await keep(1, shop)).statusCode, 200);
	const pending = { months: 1, applies_at: "2026-11-29T12:00:00.000Z" };
	assert.deepEqual(await retentionOf(), [null, pending]);
	app.clock.advance(DAY);
	assert.equal((await keep(1)).statusCode, 200);
	assert.deepEqual(await retentionOf(), [null, pending], "repeating it changes nothing");
	for (const { email } of [ann, bob]) {
		const told = "Shop: data retention will be shortened";
		const [mail, ...more] = (await mailbox(app).to(email)).filter(({ subject }) => subject === told);
		assert.deepEqual(more, []);
		const text = /^Ann changed the data retention of Shop from unlimited to 1 month\.$.*^From 2026-11-29 on/ms;
		assert.match(mail?.text ?? "", text);
	}
	assert.equal((await keep(null)).statusCode, 200);
	assert.deepEqual(await retentionOf(), [null, null], "the same period or a longer one withdraws it");
	app.clock.set("2026-12-20T12:00:00.000Z");
	assert.equal((await keep(1, shop)).statusCode, 200);
	app.clock.set("2026-12-27T04:12:00.000Z");
	await finishDeletions(app);
	assert.deepEqual(Object.keys(await days(shop)), ["2026-11-19", "2026-11-20", "2026-11-21"]);
	app.clock.set("2026-12-28T04:12:00.000Z");
	await finishDeletions(app);
	assert.deepEqual([await retentionOf(), await days(shop), await days(shop, "bot_hits")], [[1, null], {}, {}]);
	assert.deepEqual(Object.keys(await days(other)), ["2026-11-19", "2026-11-20", "2026-11-21"]);
	const { user, details } = (await auditTrail(app, "site.updated")).at(-1) ?? {};
	assert.deepEqual([user, details], [null, { data_retention_months: [null, 1] }]);
	assert.equal((await keep(2)).json().data.data_retention_months, 2, "a longer period applies at once");
});

test("microconversions go after two years, whatever their site keeps; other events of the day stay", async () => {
	await app.eventStore.command(`INSERT INTO events (site, date, ts, kind, event_type) VALUES
		('${shop}', '2024-12-19', '2024-12-19 10:00:00', 'microconversion', 'cart'),
		('${shop}', '2024-12-19', '2024-12-19 10:00:00', 'conversion', 'sale'),
		('${shop}', '2024-12-20', '2024-12-20 10:00:00', 'microconversion', 'cart')`);
	await app.jobs.runDue();
	app.clock.set("2026-12-21T04:12:00.000Z");
	await finishDeletions(app);
	const sql = `SELECT concat(toString(date), ' ', toString(kind)) AS row FROM events WHERE site = '${shop}' ORDER BY date`;
	const left = await app.eventStore.query<{ row: string }>({ sql });
	const rows = left.map(({ row }) => row);
	assert.deepEqual(rows, ["2024-12-19 conversion", "2024-12-20 microconversion"]);
});

test("a deleted site is purged 30 days later, with all its settings, and its name is free again", async () => {
	await visitBoth("203.0.113.1");
	await app.jobs.runDue();
	assert.equal((await send("DELETE", `/sites/${shop}`)).statusCode, 200);
	assert.equal((await get(`/sites/${shop}`)).purge_at, "2026-12-19T12:00:00.000Z");
	for (const [site, is_active] of [
		[other, false],
		[shop, true],
	] as const) {
		const changed = await send("PATCH", `/sites/${site}`, { is_active });
		assert.equal(changed.json().data.purge_at, null, "one that rests or is brought back is not deleted");
	}
	assert.equal((await send("DELETE", `/sites/${shop}`)).statusCode, 200);
	app.clock.set("2026-12-19T11:59:00.000Z");
	await app.jobs.runDue();
	assert.equal((await send("GET", `/sites/${shop}`)).statusCode, 200);
	app.clock.advance(DAY);
	const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	beforeCommand = () => {
		reached.resolve();
		return released.promise;
	};
	const purging = finishDeletions(app);
	await reached.promise;
	assert.equal((await deletionsOf(shop)).find(({ reason }) => reason === "purge")?.step, "rows");
	assert.equal((await send("PATCH", `/sites/${shop}`, { is_active: true })).statusCode, 409);
	beforeCommand = () => undefined;
	released.resolve();
	await purging;
	assert.equal((await send("GET", `/sites/${shop}`)).statusCode, 404);
	assert.deepEqual([await days(shop), await days(shop, "bot_hits")], [{}, {}]);
	// A collector of its own learns of it a moment later.
	await app.sites.refresh();
	assert.deepEqual([app.sites.get(shop), app.sites.get(other)?.id], [undefined, other]);
	assert.deepEqual((await auditTrail(app, "site.purged")).at(-1)?.site, shop);
	assert.equal(await createSite(app, ann), shop);
});

test("a deletion with another id, or with days in the wrong order, is refused", async () => {
	const remove = (body: object) => send("DELETE", `/sites/${shop}/data`, body);
	assert.deepEqual(fieldsOf(await remove({ confirm: "shop-typo" })), [422, "body.confirm"]);
	assert.equal((await remove({ confirm: shop, from: "2026-11-20", to: "2026-11-19" })).statusCode, 400);
	assert.deepEqual(await deletionsOf(shop), []);
});
