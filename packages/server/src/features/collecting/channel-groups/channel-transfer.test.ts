import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

const DEFAULTS = 24;

const own = {
	channel_name: "Partners",
	source_pattern: "^acme$",
	medium_pattern: null,
	campaign_pattern: null,
	priority: 500,
	is_active: true,
};

let app: TestApp;
let ann: Session;
let site: string;
before(async () => {
	app = await testApp();
	ann = await signIn(app);
});
after(() => app.close());
beforeEach(async () => {
	site = await createSite(app, ann);
});

const call = async (route: string, body?: unknown) => {
	const [method = "GET", path = ""] = route.split(" ");
	const response = await app.inject({
		method: method as "GET",
		url: `/api/v1/channel-groups${path}${path.includes("?") ? "&" : "?"}account_id=${site}`,
		headers: ann.headers,
		...(body === undefined ? {} : { payload: body as object }),
	});
	return { status: response.statusCode, body: response.body === "" ? undefined : response.json() };
};
const add = async (rule: object = {}): Promise<number> => (await call("POST ", { ...own, ...rule })).body.data.id;
const fault = async (route: string, body?: unknown) => {
	const { status, body: answer } = await call(route, body);
	return [status, answer.error.detail?.[0].field ?? answer.error.code];
};

test("an export can be imported elsewhere and gives the same rules", async () => {
	await add({ channel_name: 'Ünïcode 💛 "quoted"; drop table channel_rules;--', medium_pattern: "^a|b$" });
	await add({ is_active: false });
	const document = (await call("GET /export")).body.data;
	assert.deepEqual([document.version, document.rules.length, document.default_rules.length], [1, 2, DEFAULTS]);
	const from = (await call("GET ?include_inactive=1")).body.data.rules;
	site = await createSite(app, ann, { name: "Copy" });
	assert.deepEqual((await call("POST /import", document)).body.data, { inserted: 2, deleted: 0, total_after: 2 });
	const to = (await call("GET ?include_inactive=1")).body.data.rules;
	const plain = (rules: { id: number; account_id: string | null }[]) =>
		rules.map(({ id, account_id, ...rest }) => rest);
	assert.deepEqual(plain(to), plain(from));
});

test("an import replaces all own rules, or the drafts alone by drafts; a dry run changes nothing", async () => {
	const live = await add();
	await add({ is_active: false });
	const document = { version: 1, rules: [own, { ...own, is_active: false }, own] };
	const dry = await call("POST /import?dry_run=true&scope=drafts", document);
	assert.deepEqual(dry.body.data, { would_insert: 3, would_delete: 1, errors: [] });
	const drafts = await call("POST /import?scope=drafts", document);
	assert.deepEqual(drafts.body.data, { inserted: 3, deleted: 1, total_after: 4 });
	const after = (await call("GET ?include_defaults=false")).body.data.rules;
	assert.deepEqual(
		after.map((rule: { id: number }) => rule.id),
		[live],
	);
	const all = await call("POST /import", document);
	assert.deepEqual(all.body.data, { inserted: 3, deleted: 4, total_after: 3 });
	assert.equal((await call("GET ?include_defaults=false")).body.data.total, 2);
	const none = await call("POST /import", { version: 1, rules: [] });
	assert.deepEqual(none.body.data, { inserted: 0, deleted: 3, total_after: 0 });
});

test("an import with faulty rows changes nothing and names each of them", async () => {
	const id = await add();
	const rules = [own, { ...own, source_pattern: "(" }, 7, { ...own, channel_name: "" }, { channel_name: "Empty" }];
	const refused = await call("POST /import", { version: 1, rules });
	assert.equal(refused.status, 422);
	const fields = [
		"body.rules.1.source_pattern",
		"body.rules.2",
		"body.rules.3.channel_name",
		"body.rules.4.source_pattern",
	];
	const fieldsOf = (detail: { field: string }[]) => detail.map(({ field }) => field);
	assert.deepEqual(fieldsOf(refused.body.error.detail), fields);
	assert.equal((await call(`GET /${id}`)).status, 200);
	const dry = (await call("POST /import?dry_run=1", { version: 1, rules })).body.data;
	assert.deepEqual([dry.would_insert, dry.would_delete, fieldsOf(dry.errors)], [1, 1, fields]);
	const many = { version: 1, rules: Array.from({ length: 101 }, () => own) };
	assert.deepEqual(await fault("POST /import", many), [409, "conflict"]);
	assert.equal((await call("POST /import?dry_run=1", many)).body.data.errors[0].field, "body.rules");
	assert.deepEqual(await fault("POST /import", { version: 2, rules: [] }), [422, "body.version"]);
	assert.deepEqual(await fault("POST /import?scope=some", { version: 1, rules: [] }), [422, "query.scope"]);
	const large = { version: 1, rules: [], padding: "x".repeat(256 * 1024) };
	assert.deepEqual(await fault("POST /import", large), [413, "payload_too_large"]);
});
