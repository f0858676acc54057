import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { appOnBothEngines } from "../../../../test/support/app-on-both-engines.ts";
import { giveSiteRole } from "../../../../test/support/site-roles.ts";
import type { TestApp } from "../../../../test/support/test-app.ts";

const now = "2026-11-21T12:00:00.000Z";

const caller =
	(app: TestApp) =>
	async ({ headers }: Session, route: string, body?: object) => {
		const [method = "GET", path = ""] = route.split(" ");
		const response = await app.inject({
			method: method as "GET",
			url: `/api/v1/annotations${path}${path.includes("?") ? "&" : "?"}account_id=shop`,
			headers,
			...(body !== undefined && { payload: body }),
		});
		return { status: response.statusCode, body: response.body === "" ? undefined : response.json() };
	};

appOnBothEngines("annotations", (open) => {
	async function withShop() {
		const app = await open({ now });
		const ann = await signIn(app);
		await createSite(app, ann, { timezone: "Europe/Madrid" });
		const call = caller(app);
		const add = async (body: object) => (await call(ann, "POST ", body)).body.data;
		const texts = async (days: string, who = ann) =>
			(await call(who, `GET ${days}`)).body.data.map(({ text }: { text: string }) => text);
		return { app, ann, call, add, texts };
	}

	test("a note is written, read, changed and removed; who wrote it stands there", async (t) => {
		const { app, ann, call } = await withShop();
		t.after(() => app.close());
		const made = await call(ann, "POST ", { date: "2026-11-20", hour: 9, text: " Version 3 is out ", kind: "release" });
		assert.equal(made.status, 201);
		const { id, ...note } = made.body.data;
		assert.deepEqual(note, {
			account_id: "shop",
			date: "2026-11-20",
			hour: 9,
			text: "Version 3 is out",
			kind: "release",
			created_by: ann.userId,
			created_by_name: "Ann",
			created_at: now,
		});
		assert.deepEqual((await call(ann, `GET /${id}`)).body.data, { id, ...note });
		const changed = await call(ann, `PATCH /${id}`, { hour: null, text: "Version 3.1" });
		assert.deepEqual(changed.body.data, { id, ...note, hour: null, text: "Version 3.1" });
		assert.deepEqual((await call(ann, `PATCH /${id}`, {})).body.data, changed.body.data);
		assert.deepEqual(await call(ann, `DELETE /${id}`), { status: 204, body: undefined });
		for (const route of [`GET /${id}`, `DELETE /${id}`]) assert.equal((await call(ann, route)).status, 404);
		assert.equal((await call(ann, `PATCH /${id}`, { text: "x" })).status, 404);
	});

	test("notes are asked by days, both included, in the order of time; a whole day stands before its hours", async (t) => {
		const { app, ann, call, add, texts } = await withShop();
		t.after(() => app.close());
		await add({ date: "2026-11-20", hour: 0, text: "midnight" });
		await add({ date: "2026-11-20", text: "all day" });
		await add({ date: "2026-11-18", text: "before", kind: "campaign" });
		await add({ date: "2027-01-01", text: "to come" });
		assert.deepEqual(await texts(""), ["before", "all day", "midnight", "to come"]);
		assert.deepEqual(await texts("?from_date=2026-11-19"), ["all day", "midnight", "to come"]);
		assert.deepEqual(await texts("?from_date=2026-11-18&to_date=2026-11-20"), ["before", "all day", "midnight"]);
		assert.deepEqual(await texts("?to_date=2026-11-19"), ["before"]);
		assert.equal((await call(ann, "GET ?from_date=2026-11-20&to_date=2026-11-19")).status, 400);
	});

	test("what is no note is refused by its field", async (t) => {
		const { app, ann, call, add } = await withShop();
		t.after(() => app.close());
		const { id } = await add({ date: "2026-11-20", text: "kept" });
		for (const [body, field] of [
			[{ date: "2026-02-30", text: "x" }, "body.date"],
			[{ date: "2026-11-20", text: "" }, "body.text"],
			[{ date: "2026-11-20", text: "x".repeat(201) }, "body.text"],
			[{ date: "2026-11-20", text: "x", hour: 24 }, "body.hour"],
			[{ date: "2026-11-20", text: "x", kind: "party" }, "body.kind"],
			[{ text: "x" }, "body.date"],
		] as const) {
			const refused = await call(ann, "POST ", body);
			assert.deepEqual([refused.status, refused.body.error.detail[0].field], [422, field]);
		}
		assert.equal((await call(ann, `PATCH /${id}`, { date: null })).status, 422);
		assert.equal((await call(ann, "GET ?from_date=soon")).status, 422);
	});

	test("viewers read and do not write, and a key opens nothing", async (t) => {
		const { app, ann, call, add, texts } = await withShop();
		t.after(() => app.close());
		const { id } = await add({ date: "2026-11-20", text: "kept" });
		const bob = await signIn(app, { email: "bob@example.com", name: "Bob" });
		await giveSiteRole(app, "shop", bob.userId, "viewer");
		assert.deepEqual(await texts("", bob), ["kept"]);
		assert.equal((await call(bob, "POST ", { date: "2026-11-20", text: "mine" })).status, 403);
		assert.equal((await call(bob, `PATCH /${id}`, { text: "mine" })).status, 403);
		assert.equal((await call(bob, `DELETE /${id}`)).status, 403);
		const key = await app.inject({
			method: "POST",
			url: "/api/v1/api-tokens",
			headers: ann.headers,
			payload: { name: "CI", scopes: ["stats:read", "sites:read", "accounts:read"] },
		});
		const headers = { "x-api-key": key.json().data.token };
		const asked = await app.inject({ url: "/api/v1/annotations?account_id=shop", headers });
		assert.equal(asked.statusCode, 403);
		assert.deepEqual(await texts(""), ["kept"]);
	});

	test("a site has at most 1,000 notes", async (t) => {
		const { app, ann, call, add } = await withShop();
		t.after(() => app.close());
		const { id } = await add({ date: "2026-11-20", text: "first" });
		await app.metadata
			.withTables<{ annotations: { site_id: string; date: string; text: string; kind: string; created_at: number } }>()
			.insertInto("annotations")
			.values(
				Array.from({ length: 999 }, () => ({
					site_id: "shop",
					date: "2026-11-19",
					text: "many",
					kind: "note",
					created_at: 0,
				})),
			)
			.execute();
		const more = { date: "2026-11-20", text: "one too many" };
		assert.equal((await call(ann, "POST ", more)).body.error.code, "conflict");
		await call(ann, `DELETE /${id}`);
		assert.equal((await call(ann, "POST ", more)).status, 201);
	});
});
