import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { giveSiteRole } from "../../../../test/support/site-roles.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

const now = "2026-11-21T12:00:00.000Z";
const checkout = { kind: "funnel", name: "Checkout", definition: { view: ["page:/", "event:purchase"], period: "7d" } };

let app: TestApp;
/** Ann owns the site of each test, Bob edits it, Cleo looks at it. */
let ann: Session;
let bob: Session;
let cleo: Session;
let site: string;
before(async () => {
	app = await testApp({ now });
	ann = await signIn(app);
	bob = await signIn(app, { email: "bob@example.com", name: "Bob" });
	cleo = await signIn(app, { email: "cleo@example.com", name: "Cleo" });
});
beforeEach(async () => {
	site = await createSite(app, ann);
	await giveSiteRole(app, site, bob.userId, "editor");
	await giveSiteRole(app, site, cleo.userId, "viewer");
});
after(() => app.close());

async function call({ headers }: Session, route: string, payload?: object) {
	const [method = "GET", path = ""] = route.split(" ");
	const url = `/api/v1/saved-views${path}${path.includes("?") ? "&" : "?"}account_id=${site}`;
	const response = await app.inject({ method: method as "GET", url, headers, ...(payload && { payload }) });
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
	assert.deepEqual(view, { account_id: site, ...checkout, is_shared: false, ...byBob });
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
	assert.deepEqual(await names(ann), ["B shared"]);
	// Not even an admin is told that a private one is there.
	for (const [route, body] of [[`GET /${id}`], [`PATCH /${id}`, { name: "x" }], [`DELETE /${id}`]] as const) {
		assert.equal((await call(ann, route, body)).status, 404, route);
	}
});

test("only its maker or an admin changes a shared view, and viewers keep views without sharing them", async () => {
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
