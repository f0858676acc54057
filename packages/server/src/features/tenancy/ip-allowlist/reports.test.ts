import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { allowlistClient, OFFICE, OUTSIDE } from "../../../../test/support/allowlist-client.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

const PROXY = "10.0.0.1";
const NOT_ALLOWED = "Access from this IP address is not allowed";

let app: TestApp;
let owner: Session;
let guarded: string;
let free: string;
let at: ReturnType<typeof allowlistClient>;
before(async () => {
	app = await testApp({ env: { TRUST_PROXY: PROXY } });
	owner = await signIn(app);
	guarded = await createSite(app, owner);
	free = await createSite(app, owner);
	at = allowlistClient(app, owner, guarded);
	await at.allow(OFFICE);
});
after(() => app.close());

test("reports, segments and settings of a site are shut to other addresses", async () => {
	const routes: [route: string, body?: object][] = [
		[`GET /stats/overview?site_id=${guarded}`],
		[`GET /stats/pages?account_id=${guarded}`],
		[`POST /stats/query?site_id=${guarded}`, { date_from: "2026-11-01", date_to: "2026-11-02" }],
		[`GET /segments?account_id=${guarded}`],
		[`GET /channel-groups?account_id=${guarded}`],
		[`GET /bot-stats/overview?account_id=${guarded}`],
		[`GET /passthrough-referrers?account_id=${guarded}`],
		[`GET /referrer-mappings?account_id=${guarded}`],
	];
	for (const [route, body] of routes) {
		const away = await at.ask(route, body, { from: OUTSIDE });
		assert.deepEqual([away.status, away.message], [403, NOT_ALLOWED], route);
		assert.equal((await at.ask(route, body)).status, 200, route);
	}
});

test("each query of a batch is asked from the caller's own address", async () => {
	const queries = [guarded, free].map((site) => ({
		id: site,
		endpoint: "/stats/overview",
		params: { site_id: site },
	}));
	const batch = async (from: string) => {
		const response = await app.inject({
			method: "POST",
			url: "/api/v1/batch",
			headers: { ...owner.headers, "user-agent": "batcher" },
			remoteAddress: from,
			payload: { queries },
		});
		const { results } = response.json();
		return [guarded, free].map((site) => results[site].status);
	};
	assert.deepEqual(await batch(OFFICE), ["success", "success"]);
	assert.deepEqual(await batch(OUTSIDE), ["error", "success"]);
	app.clock.advance(60_000);
	assert.deepEqual(await batch("192.0.2.44"), ["error", "success"]);
	const [attempt] = (await at.call("GET /audit?denied_only=true")).data.attempts;
	assert.deepEqual([attempt.ip_address, attempt.user_agent], ["192.0.2.44", "batcher"]);
});

test("reports over all sites are a superadmin's, whom no list shuts out", async () => {
	const root = await signIn(app, { email: "root@example.com", name: "Root", role: "superadmin" });
	const asRoot = allowlistClient(app, root, guarded);
	const reports = ["overview", "devices", "pages"].map((name) => `GET /stats/aggregate/${name}`);
	for (const [index, report] of [...reports, `GET /stats/overview?site_id=${guarded}`].entries()) {
		const route = report.includes("?") ? report : `${report}?account_ids=${guarded}&account_ids=${free}`;
		const from = `192.0.2.${100 + index}`;
		assert.equal((await asRoot.ask(route, undefined, { from })).status, 200, route);
		const [attempt] = (await at.call("GET /audit?limit=2")).data.attempts.filter(
			(row: { user_email: string }) => row.user_email === root.email,
		);
		assert.deepEqual([attempt.ip_address, attempt.access_granted], [from, true], route);
	}
	assert.equal((await at.ask(`${reports[0]}?account_ids=${guarded}`)).message, "Required scope: superadmin");
});

test("what an organization lists leaves the site out, and what names the site is refused", async () => {
	const { slug } = (await at.ask("POST /organizations", { name: "Acme" })).data;
	const bob = await signIn(app, { email: "bob@example.com", name: "Bob" });
	await at.role({ id: bob.userId }, "viewer");
	const root = `/organizations/${slug}`;
	assert.equal((await at.ask(`POST ${root}/members`, { user_id: bob.userId })).status, 201);
	const away = { from: OUTSIDE };
	for (const list of [`GET ${root}/sites`, `GET ${root}/members/${bob.userId}/sites`]) {
		const ids = async (options?: { from: string }) =>
			(await at.ask(list, undefined, options)).data.sites.map(({ id }: { id: string }) => id).sort();
		assert.deepEqual(await ids(), [free, guarded].sort(), list);
		assert.deepEqual(await ids(away), [free], list);
	}
	const naming: [route: string, body?: object][] = [
		[`POST ${root}/members/${bob.userId}/sites`, { site_ids: [free, guarded] }],
		[`DELETE ${root}/members/${bob.userId}/sites/${guarded}`],
		[`POST ${root}/invitations`, { email: "cy@example.com", site_ids: [guarded] }],
	];
	for (const [route, body] of naming) {
		const answer = await at.ask(route, body, away);
		assert.deepEqual([answer.status, answer.message], [403, NOT_ALLOWED], route);
	}
	for (const [route, body] of naming) assert.ok((await at.ask(route, body)).status < 300, route);
});

test("the audit log leaves out what happened to the site", async () => {
	const actions = async (query = "", options?: { from: string }) => {
		const { status, data } = await at.ask(`GET /audit/logs?page_size=100${query}`, undefined, options);
		return status === 200 ? data.logs.map(({ action }: { action: string }) => action) : status;
	};
	assert.ok((await actions()).includes("ip_pattern.created"));
	const away = await actions("", { from: OUTSIDE });
	assert.ok(away.includes("site.created") && !away.includes("ip_pattern.created"));
	assert.equal(await actions(`&account_id=${guarded}`, { from: OUTSIDE }), 403);
	assert.ok((await actions(`&account_id=${guarded}`)).includes("ip_pattern.created"));
});

test("what a proxy tells of the address counts only from a trusted proxy", async () => {
	const status = async (from: string, forwarded: string) => {
		const headers = { ...owner.headers, "x-forwarded-for": forwarded };
		return (await at.ask(`GET /sites/${guarded}`, undefined, { headers, from })).status;
	};
	assert.equal(await status(PROXY, OFFICE), 200);
	assert.equal(await status(PROXY, OUTSIDE), 403);
	assert.equal(await status(PROXY, `${OFFICE}, ${OUTSIDE}`), 403);
	assert.equal(await status(PROXY, `${OUTSIDE}, ${OFFICE}`), 200);
	assert.equal(await status(PROXY, "office"), 403);
	assert.equal(await status(OUTSIDE, OFFICE), 403);
	assert.equal(await status(OFFICE, OUTSIDE), 200);
});

test("visits are forgotten after 90 days by a schedule of the service", async () => {
	await app.jobs.runDue();
	const count = async () => {
		const tables = app.metadata.withTables<Tables>();
		return (await tables.selectFrom("ip_allowlist_attempts").select("id").execute()).length;
	};
	app.clock.advance(89 * 86_400_000);
	await app.jobs.runDue();
	assert.ok((await count()) > 0);
	app.clock.advance(2 * 86_400_000);
	await app.jobs.runDue();
	assert.equal(await count(), 0);
});
