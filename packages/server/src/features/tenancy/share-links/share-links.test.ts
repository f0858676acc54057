import assert from "node:assert/strict";
import { after, test } from "node:test";
import { tables } from "../../../../migrations/metadata/tables/index.ts";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { apiCall } from "../../../../test/support/accounts-app.ts";
import { fieldsOf } from "../../../../test/support/refusals.ts";
import { makeLink, open, readerOf } from "../../../../test/support/shared-link.ts";
import { testApp } from "../../../../test/support/test-app.ts";

const app = await testApp();
after(() => app.close());
const ann = await signIn(app);
const bob = await signIn(app, { email: "bob@example.com", name: "Bob" });
await createSite(app, ann);
await createSite(app, bob, { name: "Other" });

const call = (route: string, body?: object, as = ann) => apiCall(app)(route, { as, body });
const data = async (...request: Parameters<typeof call>) => (await call(...request)).json().data;
const links = "/sites/shop/share-links";
const listed = () => data(`GET ${links}`);
const isGone = async (route: string) => assert.equal((await call(route)).json().error.code, "not_found");

test("a link is made with all that it shows; its address holds 256 bits and can be read again", async () => {
	const segment = { name: "spain", display_name: "Spain", filters: { conditions: [] } };
	const made = await data("POST /segments?account_id=shop", segment);
	const given = { name: "For the board", may_filter: true };
	const link = await data(`POST ${links}`, {
		...given,
		password: "open sesame",
		segment_id: "spain",
		lists: ["pages", "sources"],
		embed_origins: ["https://WWW.example.com:443/", "http://intranet:8080", "https://www.example.com"],
		expires_at: "2026-12-24T18:00:00Z",
	});
	const token = link.url.split("/share/")[1];
	assert.match(token, /^[A-Za-z0-9_-]{43}$/);
	assert.deepEqual(link, {
		...given,
		id: link.id,
		url: link.url,
		token_prefix: token.slice(0, 6),
		has_password: true,
		segment_id: made.id,
		lists: ["sources", "pages"],
		embed_origins: ["https://www.example.com", "http://intranet:8080"],
		...{ expires_at: "2026-12-24T18:00:00.000Z", views: 0, last_seen_at: null, is_active: true, state: "open" },
		...{ created_at: "2026-11-21T12:00:00.000Z", updated_at: "2026-11-21T12:00:00.000Z" },
	});
	assert.deepEqual(await listed(), [link]);

	await readerOf(app, { token }, "open sesame");
	const [seen] = await listed();
	assert.deepEqual([seen.views, seen.last_seen_at], [1, "2026-11-21T12:00:00.000Z"]);
	const change = (body: object) => data(`PATCH ${links}/${link.id}`, body);
	const off = await change({ is_active: false, name: "For nobody" });
	assert.deepEqual([off.name, off.is_active, off.state, off.url], ["For nobody", false, "off", link.url]);
	await call(`DELETE /segments/${made.id}?account_id=shop`);
	assert.equal((await change({ is_active: true })).state, "segment_gone");
	assert.equal((await open(app, token, { password: "open sesame" })).statusCode, 404);
	const whole = await change({ segment_id: null, password: null, expires_at: null });
	assert.deepEqual([whole.state, whole.has_password, whole.expires_at], ["open", false, null]);
	assert.equal((await call(`DELETE ${links}/${link.id}`)).statusCode, 204);
	assert.deepEqual(await listed(), []);
	await isGone(`DELETE ${links}/${link.id}`);
});

test("an address is renewed, and all else stays", async () => {
	const { id, url } = await makeLink(app, ann, "shop", { lists: ["pages"], password: "open sesame" });
	const [before] = await listed();
	const renewed = await data(`POST ${links}/${id}/renew`);
	assert.notEqual(renewed.url, url);
	const newToken = renewed.url.split("/share/")[1];
	assert.deepEqual(renewed, { ...before, url: renewed.url, token_prefix: newToken.slice(0, 6) });
	assert.deepEqual(await listed(), [renewed]);
	await readerOf(app, { token: newToken }, "open sesame");
	await isGone(`POST ${links}/shl_none/renew`);

	// A link from before addresses were kept.
	await tables(app.metadata).updateTable("share_links").set({ sealed_token: null }).where("id", "=", id).execute();
	assert.equal((await listed())[0].url, null);
	const again = (await data(`POST ${links}/${id}/renew`)).url;
	assert.equal((await listed())[0].url, again);
	await call(`DELETE ${links}/${id}`);
});

test("neither token nor password is stored or told to the audit log", async () => {
	const { id, token } = await makeLink(app, ann, "shop", { password: "a secret of ours", lists: ["pages"] });
	await call(`PATCH ${links}/${id}`, { password: "another secret", lists: [], embed_origins: ["https://a.example"] });
	const row = await tables(app.metadata).selectFrom("share_links").selectAll().where("id", "=", id).execute();
	assert.ok(row.length === 1 && !JSON.stringify(row).includes(token));
	await call(`DELETE ${links}/${id}`);
	const { logs } = await data("GET /audit/logs?account_id=shop");
	assert.doesNotMatch(JSON.stringify(logs), new RegExp(`${token}|secret`));
	const own = logs.filter((entry: { resource_id: string }) => entry.resource_id === id).reverse();
	const [created, updated, deleted] = own.map(({ details }: { details: object }) => details);
	const fixed = { name: "For the team", has_password: true, may_filter: false, is_active: true };
	const [first, last] = [
		{ ...fixed, lists: ["pages"], embed_origins: [] },
		{ ...fixed, lists: [], embed_origins: ["https://a.example"] },
	];
	const changed = (values: object, pair: (value: unknown) => unknown) =>
		Object.fromEntries(Object.entries(values).map(([name, value]) => [name, pair(value)]));
	const expected = [changed(first, (value) => [null, value]), changed(last, (value) => [value, null])];
	assert.deepEqual([created, deleted], expected);
	const origins = { embed_origins: [[], ["https://a.example"]] };
	assert.deepEqual(updated, { lists: [["pages"], []], ...origins, password_changed: true });
});

test("an invalid link is refused with its field", async () => {
	const segment = { name: "theirs", display_name: "Theirs", filters: { conditions: [] } };
	const theirs = await data("POST /segments?account_id=other", segment, bob);
	const wrongOrigins = [
		...["www.example.com", "https://www.example.com/page", "https://*.example.com", "https://a.example;script-src"],
		...["https://a.example https://b.example", "https://user@a.example", "https://a.example?x", "https://a.example#"],
		...["https://a.example'", "javascript:alert(1)", "data:text/html,x", "file:///etc", "null", "*"],
		...["'self'", "https:"],
	];
	for (const [input, field] of [
		[{ password: "  short   " }, "body.password"],
		[{ segment_id: "nothing" }, "body.segment_id"],
		[{ segment_id: theirs.id }, "body.segment_id"],
		[{ expires_at: "2026-11-21T12:00:00Z" }, "body.expires_at"],
		...wrongOrigins.map((one) => [{ embed_origins: ["https://fine.example", one] }, "body.embed_origins.1"] as const),
	] as const) {
		const refused = await call(`POST ${links}`, { name: "Faulty", ...input });
		assert.deepEqual(fieldsOf(refused), [422, field], JSON.stringify(input));
	}
	assert.deepEqual(await listed(), []);
});

test("a site has at most 50 links", async () => {
	const statuses = [];
	for (let at = 0; at < 51; at++) statuses.push((await call(`POST ${links}`, { name: `Link ${at}` })).statusCode);
	assert.deepEqual(statuses, [...Array(50).fill(201), 409]);
});
