import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { tables } from "../../../../migrations/metadata/tables/index.ts";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { makeLink, open, readerOf } from "../../../../test/support/shared-link.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

let app: TestApp;
let ann: Session;
let bob: Session;
before(async () => {
	app = await testApp({ now: "2026-11-21T12:00:00.000Z" });
	ann = await signIn(app);
	bob = await signIn(app, { email: "bob@example.com", name: "Bob" });
	await createSite(app, ann);
	await createSite(app, bob, { name: "Other" });
});
after(() => app.close());

async function call(route: string, payload?: object, session: Session = ann) {
	const [method = "", path = ""] = route.split(" ");
	const request = { method: method as "GET", url: `/api/v1${path}`, headers: session.headers };
	const response = await app.inject(payload === undefined ? request : { ...request, payload });
	const body = response.body === "" ? {} : response.json();
	return { status: response.statusCode, data: body.data, error: body.error };
}

const links = "/sites/shop/share-links";

test("a link is made with all that it shows; its address holds 256 bits and can be read again", async () => {
	const segment = { name: "spain", display_name: "Spain", filters: { conditions: [] } };
	const made = await call("POST /segments?account_id=shop", segment);
	const input = {
		name: "For the board",
		password: "open sesame",
		segment_id: "spain",
		lists: ["pages", "sources"],
		may_filter: true,
		embed_origins: ["https://WWW.example.com:443/", "http://intranet:8080", "https://www.example.com"],
		expires_at: "2026-12-24T18:00:00Z",
	};
	const { status, data } = await call(`POST ${links}`, input);
	assert.equal(status, 201);
	const token = data.url.split("/share/")[1];
	assert.match(token, /^[A-Za-z0-9_-]{43}$/);
	const expected = {
		id: data.id,
		name: "For the board",
		token_prefix: token.slice(0, 6),
		has_password: true,
		segment_id: made.data.id,
		lists: ["sources", "pages"],
		may_filter: true,
		embed_origins: ["https://www.example.com", "http://intranet:8080"],
		expires_at: "2026-12-24T18:00:00.000Z",
		views: 0,
		last_seen_at: null,
		is_active: true,
		state: "open",
		created_at: "2026-11-21T12:00:00.000Z",
		updated_at: "2026-11-21T12:00:00.000Z",
	};
	assert.deepEqual(data, { ...expected, url: data.url });
	assert.deepEqual((await call(`GET ${links}`)).data, [{ ...expected, url: data.url }]);

	await readerOf(app, { token }, "open sesame");
	const [seen] = (await call(`GET ${links}`)).data;
	assert.deepEqual([seen.views, seen.last_seen_at], [1, "2026-11-21T12:00:00.000Z"]);
	const { data: off } = await call(`PATCH ${links}/${data.id}`, { is_active: false, name: "For nobody" });
	assert.deepEqual([off.name, off.is_active, off.state, off.url], ["For nobody", false, "off", data.url]);
	await call(`DELETE /segments/${made.data.id}?account_id=shop`);
	const { data: gone } = await call(`PATCH ${links}/${data.id}`, { is_active: true });
	assert.equal(gone.state, "segment_gone");
	assert.equal((await open(app, token, { password: "open sesame" })).statusCode, 404);
	const { data: whole } = await call(`PATCH ${links}/${data.id}`, {
		segment_id: null,
		password: null,
		expires_at: null,
	});
	assert.deepEqual([whole.state, whole.has_password, whole.expires_at], ["open", false, null]);
	assert.equal((await call(`DELETE ${links}/${data.id}`)).status, 204);
	assert.deepEqual((await call(`GET ${links}`)).data, []);
	assert.equal((await call(`DELETE ${links}/${data.id}`)).error.code, "not_found");
});

test("an address is renewed: the one before shows nothing at once, all else stays", async () => {
	const { id, token, url } = await makeLink(app, ann, "shop", { lists: ["pages"], password: "open sesame" });
	const { status, data } = await call(`POST ${links}/${id}/renew`);
	const [{ url: before, token_prefix: _, ...as }] = [{ ...(await call(`GET ${links}`)).data[0] }];
	assert.deepEqual([status, before, data.url === url], [200, data.url, false]);
	assert.deepEqual(data, { ...as, url: data.url, token_prefix: data.url.split("/share/")[1].slice(0, 6) });
	assert.equal((await open(app, token, { password: "open sesame" })).statusCode, 404);
	await readerOf(app, { token: data.url.split("/share/")[1] }, "open sesame");
	assert.equal((await call(`POST ${links}/shl_none/renew`)).error.code, "not_found");

	// A link from before addresses were kept.
	await tables(app.metadata).updateTable("share_links").set({ sealed_token: null }).where("id", "=", id).execute();
	assert.equal((await call(`GET ${links}`)).data[0].url, null);
	const again = (await call(`POST ${links}/${id}/renew`)).data.url;
	assert.equal((await call(`GET ${links}`)).data[0].url, again);
	await call(`DELETE ${links}/${id}`);
});

test("neither token nor password is stored or told to the audit log", async () => {
	const { id, token } = await makeLink(app, ann, "shop", { password: "a secret of ours", lists: ["pages"] });
	await call(`PATCH ${links}/${id}`, { password: "another secret", lists: [], embed_origins: ["https://a.example"] });
	const row = await tables(app.metadata).selectFrom("share_links").selectAll().where("id", "=", id).execute();
	assert.ok(row.length === 1 && !JSON.stringify(row).includes(token));
	await call(`DELETE ${links}/${id}`);
	const { data } = await call("GET /audit/logs?account_id=shop");
	const own = data.logs.filter((entry: { resource_id: string }) => entry.resource_id === id);
	assert.deepEqual(own.map(({ action, details }: { action: string; details: object }) => [action, details]).reverse(), [
		[
			"share_link.created",
			{
				name: [null, "For the team"],
				has_password: [null, true],
				lists: [null, ["pages"]],
				may_filter: [null, false],
				embed_origins: [null, []],
				is_active: [null, true],
			},
		],
		[
			"share_link.updated",
			{ lists: [["pages"], []], embed_origins: [[], ["https://a.example"]], password_changed: true },
		],
		[
			"share_link.deleted",
			{
				name: ["For the team", null],
				has_password: [true, null],
				lists: [[], null],
				may_filter: [false, null],
				embed_origins: [["https://a.example"], null],
				is_active: [true, null],
			},
		],
	]);
	assert.ok(!JSON.stringify(data).includes(token) && !JSON.stringify(data).includes("secret"));
});

test("what makes no sense is refused at its field", async () => {
	const faulty: readonly (readonly [object, string])[] = [
		[{ name: "" }, "body.name"],
		[{ name: "a".repeat(101) }, "body.name"],
		[{ name: "line\nend" }, "body.name"],
		[{ password: "short" }, "body.password"],
		[{ password: "  short   " }, "body.password"],
		[{ segment_id: "nothing" }, "body.segment_id"],
		[{ lists: ["raw"] }, "body.lists.0"],
		[{ lists: ["pages", "pages"] }, "body.lists"],
		[{ expires_at: "2026-11-21T12:00:00Z" }, "body.expires_at"],
		[{ expires_at: "tomorrow" }, "body.expires_at"],
		[{ embed_origins: Array.from({ length: 21 }, (_, at) => `https://a${at}.example`) }, "body.embed_origins"],
		...[
			"www.example.com",
			"https://www.example.com/page",
			"https://*.example.com",
			"https://a.example;script-src",
			"https://a.example https://b.example",
			"https://user@a.example",
			"https://a.example?x",
			"https://a.example#",
			"https://a.example'",
			"javascript:alert(1)",
			"data:text/html,x",
			"file:///etc",
			"null",
			"*",
			"'self'",
			"https:",
		].map((origin) => [{ embed_origins: ["https://fine.example", origin] }, "body.embed_origins.1"] as const),
	];
	const segment = { name: "theirs", display_name: "Theirs", filters: { conditions: [] } };
	const { data } = await call("POST /segments?account_id=other", segment, bob);
	for (const [input, field] of [...faulty, [{ segment_id: data.id }, "body.segment_id"] as const]) {
		const { status, error } = await call(`POST ${links}`, { name: "Faulty", ...input });
		assert.deepEqual([status, error.detail?.[0].field], [422, field], JSON.stringify(input));
	}
	assert.deepEqual((await call(`GET ${links}`)).data, []);
});

test("a site has at most 50 links", async () => {
	const statuses = [];
	for (let at = 0; at < 51; at++) statuses.push((await call(`POST ${links}`, { name: `Link ${at}` })).status);
	assert.deepEqual(statuses, [...Array(50).fill(201), 409]);
});
