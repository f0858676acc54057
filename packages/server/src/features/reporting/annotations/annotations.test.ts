import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

const now = "2026-11-21T12:00:00.000Z";

let app: TestApp;
let ann: Session;
/** Each test has a site of its own. */
let site: string;
before(async () => {
	app = await testApp({ now });
	ann = await signIn(app);
});
beforeEach(async () => {
	site = await createSite(app, ann, { timezone: "Europe/Madrid" });
});
after(() => app.close());

async function call(route: string, payload?: object) {
	const [method = "GET", path = ""] = route.split(" ");
	const url = `/api/v1/annotations${path}${path.includes("?") ? "&" : "?"}account_id=${site}`;
	const request = { method: method as "GET", url, headers: ann.headers, ...(payload && { payload }) };
	const response = await app.inject(request);
	return { status: response.statusCode, body: response.body === "" ? undefined : response.json() };
}
const add = async (body: object) => (await call("POST ", body)).body.data;
const texts = async (days: string) => (await call(`GET ${days}`)).body.data.map(({ text }: { text: string }) => text);

test("a note is written, read, changed and removed; who wrote it stands there", async () => {
	const made = await call("POST ", { date: "2026-11-20", hour: 9, text: " Version 3 is out ", kind: "release" });
	assert.equal(made.status, 201);
	const { id, ...note } = made.body.data;
	assert.deepEqual(note, {
		...{ account_id: site, date: "2026-11-20", hour: 9, text: "Version 3 is out", kind: "release" },
		...{ created_by: ann.userId, created_by_name: "Ann", created_at: now },
	});
	assert.deepEqual((await call(`GET /${id}`)).body.data, { id, ...note });
	const changed = { id, ...note, hour: null, text: "Version 3.1" };
	assert.deepEqual((await call(`PATCH /${id}`, { hour: null, text: "Version 3.1" })).body.data, changed);
	assert.deepEqual((await call(`PATCH /${id}`, {})).body.data, changed);
	assert.deepEqual(await call(`DELETE /${id}`), { status: 204, body: undefined });
	assert.equal((await call(`GET /${id}`)).status, 404);
});

test("notes are asked by days, both included, in the order of time; a whole day stands before its hours", async () => {
	await add({ date: "2026-11-20", hour: 0, text: "midnight" });
	await add({ date: "2026-11-20", text: "all day" });
	await add({ date: "2026-11-18", text: "before", kind: "campaign" });
	await add({ date: "2027-01-01", text: "to come" });
	assert.deepEqual(await texts(""), ["before", "all day", "midnight", "to come"]);
	assert.deepEqual(await texts("?from_date=2026-11-19"), ["all day", "midnight", "to come"]);
	assert.deepEqual(await texts("?from_date=2026-11-18&to_date=2026-11-20"), ["before", "all day", "midnight"]);
	assert.deepEqual(await texts("?to_date=2026-11-19"), ["before"]);
	assert.equal((await call("GET ?from_date=2026-11-20&to_date=2026-11-19")).status, 400);
	site = await createSite(app, ann);
	assert.deepEqual(await texts(""), [], "those of another site");
});

test("what is no note is refused by its field", async () => {
	const { id } = await add({ date: "2026-11-20", text: "kept" });
	for (const [body, field] of [
		[{ date: "2026-02-30" }, "date"],
		[{ text: "x".repeat(201) }, "text"],
		[{ hour: 24 }, "hour"],
	] as const) {
		const refused = await call("POST ", { date: "2026-11-20", text: "x", ...body });
		assert.deepEqual([refused.status, refused.body.error.detail[0].field], [422, `body.${field}`]);
	}
	assert.equal((await call(`PATCH /${id}`, { date: null })).status, 422);
	assert.equal((await call("GET ?from_date=soon")).status, 422);
});

test("a site has at most 1,000 notes", async () => {
	const { id } = await add({ date: "2026-11-20", text: "first" });
	const note = { site_id: site, date: "2026-11-19", text: "many", kind: "note", created_at: 0 };
	const notes = app.metadata.withTables<{ annotations: typeof note }>().insertInto("annotations");
	await notes.values(Array.from({ length: 999 }, () => note)).execute();
	const more = { date: "2026-11-20", text: "one too many" };
	assert.equal((await call("POST ", more)).body.error.code, "conflict");
	await call(`DELETE /${id}`);
	assert.equal((await call("POST ", more)).status, 201);
});
