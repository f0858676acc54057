import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite } from "../../../../test/support/accounts.ts";
import { collectingSite } from "../../../../test/support/collecting-site.ts";

const here = collectingSite();
const call = (request: string, payload?: object) => here.call(request.replace(" ", " /annotations"), payload);
const refusal = (request: string, payload?: object) => here.refusal(request.replace(" ", " /annotations"), payload);
const add = async (body: object) => (await call("POST ", body)).data;
const texts = async (days: string) => (await call(`GET ${days}`)).data.map(({ text }: { text: string }) => text);

test("a note is written, read, changed and removed; who wrote it stands there", async () => {
	const made = await call("POST ", { date: "2026-11-20", hour: 9, text: " Version 3 is out ", kind: "release" });
	assert.equal(made.status, 201);
	const { id, ...note } = made.data;
	assert.deepEqual(note, {
		...{ account_id: here.site, date: "2026-11-20", hour: 9, text: "Version 3 is out", kind: "release" },
		...{ created_by: here.owner.userId, created_by_name: "Ann", created_at: "2026-11-21T12:00:00.000Z" },
	});
	assert.deepEqual((await call(`GET /${id}`)).data, { id, ...note });
	const changed = { id, ...note, hour: null, text: "Version 3.1" };
	assert.deepEqual((await call(`PATCH /${id}`, { hour: null, text: "Version 3.1" })).data, changed);
	assert.deepEqual((await call(`PATCH /${id}`, {})).data, changed);
	assert.deepEqual(await call(`DELETE /${id}`), { status: 204 });
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
	here.site = await createSite(here.app, here.owner);
	assert.deepEqual(await texts(""), [], "those of another site");
});

test("an invalid note is refused with its field", async () => {
	const { id } = await add({ date: "2026-11-20", text: "kept" });
	for (const [body, field] of [
		[{ date: "2026-02-30" }, "date"],
		[{ text: "x".repeat(201) }, "text"],
		[{ hour: 24 }, "hour"],
	] as const) {
		assert.deepEqual(await refusal("POST ", { date: "2026-11-20", text: "x", ...body }), [422, `body.${field}`]);
	}
	assert.equal((await call(`PATCH /${id}`, { date: null })).status, 422);
	assert.equal((await call("GET ?from_date=soon")).status, 422);
});

test("a site has at most 1,000 notes", async () => {
	const { id } = await add({ date: "2026-11-20", text: "first" });
	const note = { site_id: here.site, date: "2026-11-19", text: "many", kind: "note", created_at: 0 };
	const notes = here.app.metadata.withTables<{ annotations: typeof note }>().insertInto("annotations");
	await notes.values(Array.from({ length: 999 }, () => note)).execute();
	const more = { date: "2026-11-20", text: "one too many" };
	assert.deepEqual(await refusal("POST ", more), [409, "conflict"]);
	await call(`DELETE /${id}`);
	assert.equal((await call("POST ", more)).status, 201);
});
