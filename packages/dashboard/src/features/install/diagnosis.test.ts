import assert from "node:assert/strict";
import { test } from "node:test";
import { diagnose, isAllowed } from "./diagnosis.ts";

const now = Date.parse("2026-11-22T12:00:00Z");
const none = { last_hit_at: null, last_script_request_at: null };
const quiet = { accepted: 0, rejected: 0, reasons: [], window_minutes: 15 };
const refused = (reason: string, ...origins: string[]) => ({
	...quiet,
	rejected: 3,
	reasons: [{ reason, count: 3, origins: origins.map((origin) => ({ origin, count: 1 })) }],
});
const at = { domains: ["shop.example"], now };

test("where nothing came, all steps wait", () => {
	assert.deepEqual(diagnose(none, quiet, at), { script: false, received: false, accepted: false, causes: [] });
});

test("the script was asked for, but nothing was sent", () => {
	const status = { ...none, last_script_request_at: "2026-11-22T11:58:00Z" };
	assert.deepEqual(diagnose(status, quiet, at), { script: true, received: false, accepted: false, causes: [] });
	const old = { ...none, last_script_request_at: "2026-11-22T11:40:00Z" };
	assert.equal(diagnose(old, quiet, at).script, false);
});

test("an accepted hit says that all works, also where another process counted it", () => {
	const all = { script: true, received: true, accepted: true, causes: [] };
	assert.deepEqual(diagnose(none, { ...quiet, accepted: 1 }, at), all);
	assert.deepEqual(diagnose({ ...none, last_hit_at: "2026-11-22T11:59:00Z" }, quiet, at), all);
});

test("a wrong domain is named, once, without scheme and port", () => {
	const seen = refused(
		"invalid_domain",
		"https://www.cats.example",
		"https://www.cats.example:8443",
		"http://b.example",
	);
	assert.deepEqual(diagnose(none, seen, at), {
		script: true,
		received: true,
		accepted: false,
		causes: [{ reason: "invalid_domain", count: 3, hosts: ["www.cats.example", "b.example"] }],
	});
});

test("a domain that has been allowed since is no cause any more", () => {
	const seen = refused("invalid_domain", "https://www.cats.example");
	assert.deepEqual(diagnose(none, seen, { domains: ["cats.example"], now }).causes, []);
});

test("other reasons stay, with their number", () => {
	assert.deepEqual(diagnose(none, refused("invalid_token"), at).causes, [
		{ reason: "invalid_token", count: 3, hosts: [] },
	]);
});

test("a domain covers what lies below it, and nothing that only ends like it", () => {
	assert.equal(isAllowed("www.shop.example", ["shop.example"]), true);
	assert.equal(isAllowed("a.b.shop.example", ["shop.example"]), true);
	assert.equal(isAllowed("myshop.example", ["shop.example"]), false);
	assert.equal(isAllowed("anything.example", []), true);
});
