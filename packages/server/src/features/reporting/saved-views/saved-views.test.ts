import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { appOnBothEngines } from "../../../../test/support/app-on-both-engines.ts";
import { giveSiteRole } from "../../../../test/support/site-roles.ts";
import type { TestApp } from "../../../../test/support/test-app.ts";

const now = "2026-11-21T12:00:00.000Z";
const checkout = { kind: "funnel", name: "Checkout", definition: { view: ["page:/", "event:purchase"], period: "7d" } };

const caller =
	(app: TestApp) =>
	async ({ headers }: Session, route: string, body?: object) => {
		const [method = "GET", path = ""] = route.split(" ");
		const response = await app.inject({
			method: method as "GET",
			url: `/api/v1/saved-views${path}${path.includes("?") ? "&" : "?"}account_id=shop`,
			headers,
			...(body !== undefined && { payload: body }),
		});
		return { status: response.statusCode, body: response.body === "" ? undefined : response.json() };
	};

appOnBothEngines("saved views", (open) => {
	/** Ann owns the shop, Bob edits it, Cleo looks at it. */
	async function withTeam() {
		const app = await open({ now });
		const ann = await signIn(app);
		await createSite(app, ann);
		const bob = await signIn(app, { email: "bob@example.com", name: "Bob" });
		const cleo = await signIn(app, { email: "cleo@example.com", name: "Cleo" });
		await giveSiteRole(app, "shop", bob.userId, "editor");
		await giveSiteRole(app, "shop", cleo.userId, "viewer");
		const call = caller(app);
		const names = async (who: Session, query = "") =>
			(await call(who, `GET ${query}`)).body.data.map(({ name }: { name: string }) => name);
		const code = async (...asked: Parameters<typeof call>) => {
			const { status, body } = await call(...asked);
			return [status, body?.error?.detail?.[0].field ?? body?.error?.code];
		};
		return { app, ann, bob, cleo, call, names, code };
	}

	test("a view is kept as it was given, changed and removed", async (t) => {
		const { app, bob, call } = await withTeam();
		t.after(() => app.close());
		const made = await call(bob, "POST ", checkout);
		assert.equal(made.status, 201);
		const { id, ...view } = made.body.data;
		assert.deepEqual(view, {
			account_id: "shop",
			...checkout,
			is_shared: false,
			created_by: bob.userId,
			created_by_name: "Bob",
			created_at: now,
			updated_at: now,
		});
		assert.deepEqual((await call(bob, `GET /${id}`)).body.data, { id, ...view });
		const changes = { name: "To the till", definition: { view: [] }, is_shared: true };
		assert.deepEqual((await call(bob, `PATCH /${id}`, changes)).body.data, { id, ...view, ...changes });
		assert.deepEqual(await call(bob, `DELETE /${id}`), { status: 204, body: undefined });
		assert.equal((await call(bob, `GET /${id}`)).status, 404);
	});

	test("one sees one's own views and those that are shared, of a kind or all, by name", async (t) => {
		const { app, ann, bob, cleo, call, names } = await withTeam();
		t.after(() => app.close());
		await call(bob, "POST ", { ...checkout, name: "B shared", is_shared: true });
		const { id } = (await call(bob, "POST ", { ...checkout, name: "A private" })).body.data;
		await call(cleo, "POST ", { kind: "report", name: "C report", definition: {} });
		assert.deepEqual(await names(bob), ["A private", "B shared"]);
		assert.deepEqual(await names(cleo), ["B shared", "C report"]);
		assert.deepEqual(await names(cleo, "?kind=funnel"), ["B shared"]);
		assert.deepEqual(await names(ann), ["B shared"]);
		// Not even an admin is told that a private one is there.
		for (const [route, body] of [[`GET /${id}`], [`PATCH /${id}`, { name: "x" }], [`DELETE /${id}`]] as const) {
			assert.equal((await call(ann, route, body)).status, 404, route);
		}
	});

	test("only its maker or an admin changes a shared view, and viewers keep views without sharing them", async (t) => {
		const { app, ann, bob, cleo, call, code, names } = await withTeam();
		t.after(() => app.close());
		const { id } = (await call(bob, "POST ", { ...checkout, is_shared: true })).body.data;
		assert.deepEqual(await code(cleo, `PATCH /${id}`, { name: "x" }), [403, "forbidden"]);
		assert.deepEqual(await code(cleo, `DELETE /${id}`), [403, "forbidden"]);
		assert.deepEqual(await code(cleo, "POST ", { ...checkout, is_shared: true }), [403, "forbidden"]);
		const own = (await call(cleo, "POST ", checkout)).body.data;
		assert.deepEqual(await code(cleo, `PATCH /${own.id}`, { is_shared: true }), [403, "forbidden"]);
		assert.equal((await call(cleo, `PATCH /${own.id}`, { is_shared: false, name: "Mine" })).status, 200);
		const renamed = (await call(ann, `PATCH /${id}`, { name: "Ours" })).body.data;
		assert.deepEqual([renamed.name, renamed.created_by, renamed.created_by_name], ["Ours", bob.userId, "Bob"]);
		assert.equal((await call(ann, `DELETE /${id}`)).status, 204);
		assert.deepEqual(await names(bob), []);
	});

	test("a name is one's own once a kind; what is no view is refused by its field", async (t) => {
		const { app, bob, cleo, call, code } = await withTeam();
		t.after(() => app.close());
		await call(bob, "POST ", checkout);
		assert.deepEqual(await code(bob, "POST ", checkout), [409, "duplicate_entry"]);
		assert.equal((await call(bob, "POST ", { ...checkout, kind: "query" })).status, 201);
		assert.equal((await call(cleo, "POST ", checkout)).status, 201);
		const { id } = (await call(bob, "POST ", { ...checkout, name: "Other" })).body.data;
		assert.deepEqual(await code(bob, `PATCH /${id}`, { name: "Checkout" }), [409, "duplicate_entry"]);
		assert.equal((await call(bob, `PATCH /${id}`, { name: "Other" })).status, 200);
		let deep: unknown = "end";
		for (let level = 0; level < 9; level += 1) deep = [deep];
		for (const [change, field] of [
			[{ definition: { text: "x".repeat(16 * 1024) } }, "body.definition"],
			[{ definition: { deep } }, "body.definition"],
			[{ definition: ["a", "b"] }, "body.definition"],
			[{ definition: null }, "body.definition"],
			[{ name: "" }, "body.name"],
			[{ name: "x".repeat(101) }, "body.name"],
			[{ kind: "dream" }, "body.kind"],
		] as const) {
			assert.deepEqual(await code(bob, "POST ", { ...checkout, name: "New", ...change }), [422, field]);
		}
		assert.deepEqual(await code(bob, `PATCH /${id}`, { definition: { deep } }), [422, "body.definition"]);
	});

	test("a user keeps at most 100 views of a site; those of others do not count", async (t) => {
		const { app, bob, cleo, call, code } = await withTeam();
		t.after(() => app.close());
		for (let at = 0; at < 100; at += 1) await call(bob, "POST ", { ...checkout, name: `V${at}` });
		assert.deepEqual(await code(bob, "POST ", checkout), [409, "conflict"]);
		assert.equal((await call(cleo, "POST ", checkout)).status, 201);
	});
});
