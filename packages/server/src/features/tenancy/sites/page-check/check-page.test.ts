import assert from "node:assert/strict";
import { after, test } from "node:test";
import { accountsApp } from "../../../../../test/support/accounts-app.ts";
import { codeOf, fieldsOf } from "../../../../../test/support/refusals.ts";
import { openWebhookReceiver } from "../../../../../test/support/webhook-receiver.ts";

const tag = '<script src="https://stats.example/t.js?id=shop" defer></script>';

/** Any HTTPS server will do for a website. */
const website = await openWebhookReceiver();
const outbound = { allowPrivate: true, extraCertificates: [website.certificate] };
const app = await accountsApp({ outbound });
const ann = await app.user("Ann");
await app.site(ann, { name: "Shop" });
after(async () => {
	await app.close();
	await website.close();
});

const ask = (url: string) => app.call("POST /sites/shop/pixel/check", { as: ann, body: { url } });
let pages = 0;
/** Result of checking a page with this content. */
async function check(body: string, headers: Readonly<Record<string, string | string[]>> = {}, status = 200) {
	const path = `/page-${pages++}`;
	website.answers(path, { status, headers: { "content-type": "text/html; charset=utf-8", ...headers }, body });
	const answer = await ask(website.url + path);
	assert.equal(answer.statusCode, 200, answer.body);
	const { url, final_url, ...said } = answer.json().data;
	assert.equal(url, website.url + path);
	return { ...said, leads: final_url.replace(website.url, "").replace(path, "here") };
}
const policyHeader = (policy: string) => ({ "content-security-policy": policy });
const verdict = async (...page: Parameters<typeof check>) => (await check(...page)).verdict;

test("a page with the script tag of the site is told to be well, and the request shows no credential", async () => {
	assert.deepEqual(await check(`<!doctype html><html><head>${tag}</head></html>`), {
		status: 200,
		verdict: "ok",
		script_found: true,
		script_site: "shop",
		csp: { script_src_ok: true, connect_src_ok: true, header: null },
		leads: "here",
		checked_at: "2026-11-21T12:00:00.000Z",
	});
	const { method, headers } = website.received.at(-1) ?? assert.fail("Nothing was asked");
	const { "user-agent": agent, authorization, cookie } = headers;
	assert.deepEqual([method, agent, authorization, cookie], ["GET", "Footfall page check", undefined, undefined]);
});

test("a tag that a browser would load counts, however it is written", async () => {
	for (const page of [
		"<SCRIPT\n\tDEFER SRC = https://stats.example/t.js?id=shop></SCRIPT>",
		"<script src='https://stats.example/t.js?group=a&amp;id=shop'></script>",
		'<script type="module" src="//stats.example/t.js?id=shop">',
		'<script src="/stats/t.js?id=shop"></script>',
		'<base href="https://stats.example/"><script src="t.js?id=shop"></script>',
		`<!-- off --><title>a < b</title><p title=">">x</p>${tag}`,
		`<script>if (a < b) document.write("<p>")</script>${tag}`,
		`<script src="https://stats.example/t.js?id=blog"></script>${tag}`,
		`${"<p>".repeat(100_000)}${tag}`,
	]) {
		assert.equal(await verdict(page), "ok", page.slice(-200));
	}
});

test("a tag that a browser would not load does not count", async () => {
	for (const page of [
		"",
		"<p>Hello</p>",
		`<!-- ${tag} -->`,
		`<!-- ${tag}`,
		`<textarea>${tag}</textarea>`,
		`<script>const tag = '${tag.replace("</script>", "")}';</script>`,
		'<script type="text/plain" src="https://stats.example/t.js?id=shop"></script>',
		'<script src="https://stats.example/t.js"></script>',
		'<script src="https://stats.example/other.js?id=shop"></script>',
		'<script src="data:x/t.js?id=shop"></script>',
		'<script src="https://stats.example/t.js?id=shop',
		'<p data-src="https://stats.example/t.js?id=shop">',
	]) {
		const said = await check(page);
		assert.deepEqual([said.verdict, said.script_found, said.script_site], ["no_script", false, null], page);
	}
	const other = await check('<script src="https://stats.example/t.js?id=blog"></script>');
	assert.deepEqual([other.verdict, other.script_found, other.script_site], ["other_site", true, "blog"]);
});

test("a content policy is read as a browser reads it, for the script and for what it sends", async () => {
	const own = "https://stats.example";
	for (const [policy, script, connect] of [
		["default-src 'self'", false, false],
		[`default-src 'none'; script-src ${own}; connect-src ${own}`, true, true],
		["script-src 'self' stats.example", true, true],
		["script-src *.example; connect-src 'self'", true, false],
		["script-src *.stats.example", false, true],
		[`connect-src ${own}/event`, true, true],
		[`connect-src ${own}/ev`, true, false],
		[`script-src ${own}:8443`, false, true],
		[`script-src ${own}:*`, true, true],
		["SCRIPT-SRC HTTPS:; Connect-Src *", true, true],
		["script-src http://stats.example", true, true],
		["script-src 'none'; script-src *", false, true],
		[`script-src-elem ${own}; script-src 'none'`, true, true],
		["script-src 'nonce-abc' 'strict-dynamic' https:", false, true],
		["script-src 'unsafe-inline'; connect-src", false, false],
		["img-src 'none'", true, true],
		["script-src *, default-src 'self'", false, false],
	] as const) {
		const said = await check(tag, policyHeader(policy));
		assert.deepEqual(said.csp, { script_src_ok: script, connect_src_ok: connect, header: policy }, policy);
		assert.equal(said.verdict, script && connect ? "ok" : "csp_blocks", policy);
	}
});

test("a nonce on the tag, a policy in the page and the page's own host are taken into account", async () => {
	const nonced = '<script nonce="abc" src="https://stats.example/t.js?id=shop"></script>';
	assert.equal(await verdict(nonced, policyHeader("script-src 'nonce-abc' 'strict-dynamic'")), "ok");
	assert.equal(await verdict(nonced, policyHeader("script-src 'nonce-ABC'")), "csp_blocks");
	const meta = `<meta http-equiv="Content-Security-Policy" content="script-src &#39;self&#39;">`;
	assert.equal(await verdict(meta + tag), "csp_blocks");
	const own = '<script src="/t.js?id=shop"></script>';
	assert.equal(await verdict(meta + own), "ok");
	assert.equal(await verdict(tag, { "content-security-policy-report-only": "default-src 'none'" }), "ok");
	const without = await check("<p>", policyHeader("connect-src 'self'"));
	assert.equal(without.verdict, "no_script");
	assert.deepEqual(without.csp, { script_src_ok: true, connect_src_ok: false, header: "connect-src 'self'" });
});

test("redirects are told, not followed", async () => {
	for (const [location, leads] of [
		["/welcome", "/welcome"],
		["https://www.shop.example/", "https://www.shop.example/"],
		["javascript:alert(1)", "here"],
	] as const) {
		const asked = website.received.length;
		const said = await check("", { location }, 301);
		assert.deepEqual([said.status, said.verdict, said.leads, said.csp], [301, "redirected", leads, null]);
		assert.equal(website.received.length, asked + 1);
	}
});

test("an address that is no page, fails or does not answer is told apart", async () => {
	assert.equal(await verdict(tag, { "content-type": "application/json" }), "not_html");
	assert.equal(await verdict(tag, { "content-type": "application/xhtml+xml" }), "ok");
	const failing = await check(tag, {}, 503);
	assert.deepEqual([failing.status, failing.verdict, failing.script_found], [503, "unreachable", false]);
	website.answers("/dropped", "drop");
	const { status, verdict: said, reason, csp } = (await ask(`${website.url}/dropped`)).json().data;
	assert.deepEqual([status, said, reason, csp], [null, "unreachable", "The connection failed", null]);
});

test("only the first megabyte of a page is read, and one of unfinished tags has no script", async () => {
	const many = 1024 * 1024;
	assert.equal(await verdict(" ".repeat(many - tag.length) + tag), "ok");
	assert.equal(await verdict(" ".repeat(many) + tag), "no_script");
	for (const page of [
		"<".repeat(many),
		"<a".repeat(many / 2),
		"<a ".repeat(many / 3),
		"<!--".repeat(many / 4),
		`<script${" ".repeat(many)}`,
		`<script type="${" ".repeat(many - 100)}x" src="/t.js?id=shop">`,
		"<script>".repeat(many / 8),
		"</script".repeat(many / 8),
		`<meta http-equiv="content-security-policy" content="${"a ".repeat(many / 3)}">`,
		`<p ${"a= ".repeat(many / 3)}`,
	]) {
		// Reading that is not linear in the page takes hours.
		assert.equal(await verdict(page), "no_script", page.slice(0, 40));
	}
});

test("addresses that are no page on the web are refused", async () => {
	for (const url of ["", "shop.example", "http://shop.example/", "https://a:b@shop.example/", "ftp://shop.example/"]) {
		assert.deepEqual(fieldsOf(await ask(url)), [422, "body.url"], url);
	}
});

test("the page of a site is looked at ten times a minute for each user", async () => {
	await using limited = await accountsApp({ env: { RATE_LIMIT_ENABLED: "true" } });
	const as = await limited.user("Olga");
	await limited.site(as, { name: "Shop" });
	const asking = () => limited.call("POST /sites/shop/pixel/check", { as, body: { url: "https://localhost/" } });
	for (let i = 0; i < 10; i++) assert.equal((await asking()).statusCode, 422);
	assert.deepEqual(codeOf(await asking()), [429, "rate_limit_exceeded"]);
	limited.clock.advance(60_000);
	assert.equal((await asking()).statusCode, 422);
});
