import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { requestOf } from "../../../../test/support/request-of.ts";
import { giveSiteRole } from "../../../../test/support/site-roles.ts";

const now = "2026-11-21T12:00:00.000Z";
const checkout = { kind: "funnel", name: "Checkout", definition: { view: ["page:/", "event:purchase"], period: "7d" } };

/** Ann owns the site of each test, Bob edits it, Cleo looks at it. */
const here = collectingSite();
let bob: Session;
let cleo: Session;
beforeEach(async () => {
	bob ??= await signIn(here.app, { email: "bob@example.com", name: "Bob" });
	cleo ??= await signIn(here.app, { email: "cleo@example.com", name: "Cleo" });
	await giveSiteRole(here.app, here.site, bob.userId, "editor");
	await giveSiteRole(here.app, here.site, cleo.userId, "viewer");
});

async function call({ headers }: Session, route: string, payload?: object) {
	const query = `account_id=${here.site}`;
	const request = requestOf(route.replace(" ", " /saved-views"), { headers, body: payload, query });
	const response = await here.app.inject(request);
	return { status: response.statusCode, body: response.body === "" ? undefined : response.json() };
}
const names = async (who: Session, query = "") =>
	(await call(who, `GET ${query}`)).body.data.map(({ name }: { name: string }) => name);
async function code(...asked: Parameters<typeof call>) {
	const { status, body } = await call(...asked);
	return [status, body?.error?.detail?.[0].field ?? body?.error?.code];
}

test("a view is kept as it was given, changed and removed", async () => {
	const made = await call(bob, "POST ", checkout);
	assert.equal(made.status, 201);
	const { id, ...view } = made.body.data;
	const byBob = { created_by: bob.userId, created_by_name: "Bob", created_at: now, updated_at: now };
	assert.deepEqual(view, { account_id: here.site, ...checkout, is_shared: false, ...byBob });
	assert.deepEqual((await call(bob, `GET /${id}`)).body.data, { id, ...view });
	const changes = { name: "To the till", definition: { view: [] }, is_shared: true };
	assert.deepEqual((await call(bob, `PATCH /${id}`, changes)).body.data, { id, ...view, ...changes });
	assert.deepEqual(await call(bob, `DELETE /${id}`), { status: 204, body: undefined });
	assert.equal((await call(bob, `GET /${id}`)).status, 404);
});

test("one sees one's own views and those that are shared, of a kind or all, by name", async () => {
	await call(bob, "POST ", { ...checkout, name: "B shared", is_shared: true });
	const { id } = (await call(bob, "POST ", { ...checkout, name: "A private" })).body.data;
	await call(cleo, "POST ", { kind: "report", name: "C report", definition: {} });
	assert.deepEqual(await names(bob), ["A private", "B shared"]);
	assert.deepEqual(await names(cleo), ["B shared", "C report"]);
	assert.deepEqual(await names(cleo, "?kind=funnel"), ["B shared"]);
	assert.deepEqual(await names(here.owner), ["B shared"]);
	// Not even an admin is told that a private one is there.
	for (const [route, body] of [[`GET /${id}`], [`PATCH /${id}`, { name: "x" }], [`DELETE /${id}`]] as const) {
		assert.equal((await call(here.owner, route, body)).status, 404, route);
	}
});

test("a view is of one site alone, also for somebody who reaches another", async () => {
	const { id } = (await call(bob, "POST ", { ...checkout, is_shared: true })).body.data;
	here.site = await createSite(here.app, here.owner, { name: "Other" });
	await giveSiteRole(here.app, here.site, bob.userId, "editor");
	assert.deepEqual(await names(bob), []);
	for (const [route, body] of [[`GET /${id}`], [`PATCH /${id}`, { name: "x" }], [`DELETE /${id}`]] as const) {
		assert.equal((await call(bob, route, body)).status, 404, route);
	}
});

test("viewers keep views without sharing them, and a shared one that an admin changes stays its maker's", async () => {
	const { id } = (await call(bob, "POST ", { ...checkout, is_shared: true })).body.data;
	const own = (await call(cleo, "POST ", checkout)).body.data;
	assert.deepEqual(await code(cleo, `PATCH /${own.id}`, { is_shared: true }), [403, "forbidden"]);
	assert.equal((await call(cleo, `PATCH /${own.id}`, { is_shared: false, name: "Mine" })).status, 200);
	const renamed = (await call(here.owner, `PATCH /${id}`, { name: "Ours" })).body.data;
	assert.deepEqual([renamed.name, renamed.created_by, renamed.created_by_name], ["Ours", bob.userId, "Bob"]);
});

test("a name is one's own once a kind; what is no view is refused by its field", async () => {
	await call(bob, "POST ", checkout);
	assert.deepEqual(await code(bob, "POST ", checkout), [409, "duplicate_entry"]);
	assert.equal((await call(bob, "POST ", { ...checkout, kind: "query" })).status, 201);
	assert.equal((await call(cleo, "POST ", checkout)).status, 201);
	const { id } = (await call(bob, "POST ", { ...checkout, name: "Other" })).body.data;
	assert.deepEqual(await code(bob, `PATCH /${id}`, { name: "Checkout" }), [409, "duplicate_entry"]);
	assert.equal((await call(bob, `PATCH /${id}`, { name: "Other" })).status, 200);
	let deep: unknown = "end";
	for (let level = 0; level < 9; level += 1) deep = [deep];
	for (const definition of [{ text: "x".repeat(16 * 1024) }, { deep }, ["a", "b"], null]) {
		assert.deepEqual(await code(bob, "POST ", { ...checkout, name: "New", definition }), [422, "body.definition"]);
	}
	assert.deepEqual(await code(bob, `PATCH /${id}`, { definition: { deep } }), [422, "body.definition"]);
});

test("a user keeps at most 100 views of a site; those of others do not count", async () => {
	for (let at = 0; at < 100; at += 1) await call(bob, "POST ", { ...checkout, name: `V${at}` });
	assert.deepEqual(await code(bob, "POST ", checkout), [409, "conflict"]);
	assert.equal((await call(cleo, "POST ", checkout)).status, 201);
});
