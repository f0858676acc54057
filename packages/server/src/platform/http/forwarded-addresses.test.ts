import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, type Session, signIn } from "../../../test/support/accounts.ts";
import { type TestApp, testApp } from "../../../test/support/test-app.ts";

const long = "x".repeat(9000);

/** The address that a signed-in caller is shown, over a real connection. */
async function addressSeen(app: TestApp, headers: Record<string, string>): Promise<unknown> {
	const answer = await fetch(`${await app.address()}/api/v1/utils/my-ip`, { headers });
	return ((await answer.json()) as { data: { ip: string } }).data.ip;
}

let trusting: TestApp;
let ann: Session;
before(async () => {
	trusting = await testApp({ env: { TRUST_PROXY: "true", RATE_LIMIT_ENABLED: "true" } });
	ann = await signIn(trusting);
});
after(() => trusting.close());

test("text in X-Forwarded-For that is no address is nobody's address", async () => {
	const { headers } = ann;
	for (const [forwarded, seen] of [
		["203.0.113.9", "203.0.113.9"],
		["2001:db8::1", "2001:db8::1"],
		["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
		["::ffff:203.0.113.9", "203.0.113.9"],
		["[::FFFF:cb00:7109]:4711", "203.0.113.9"],
		["198.51.100.1, 203.0.113.9", "198.51.100.1"],
		["anything", "127.0.0.1"],
		[long, "127.0.0.1"],
		["", "127.0.0.1"],
		["203.0.113.9:4711", "203.0.113.9"],
		["[2001:db8::1]:4711", "2001:db8::1"],
		["203.0.113.9, unknown", "127.0.0.1"],
		["unknown, 203.0.113.9", "203.0.113.9"],
		["198.51.100.1, <b>, 203.0.113.9", "203.0.113.9"],
	] as const) {
		const given = { ...headers, "x-forwarded-for": forwarded };
		assert.equal(await addressSeen(trusting, given), seen, forwarded.slice(0, 40));
	}
});

test("what a client writes before the address that a named proxy adds changes nothing", async (t) => {
	const app = await testApp({ env: { TRUST_PROXY: "127.0.0.1" } });
	t.after(() => app.close());
	const { headers } = await signIn(app);
	for (const forwarded of ["203.0.113.9", "198.51.100.1, 203.0.113.9", `${long}, 203.0.113.9`, ", 203.0.113.9"]) {
		assert.equal(await addressSeen(app, { ...headers, "x-forwarded-for": forwarded }), "203.0.113.9");
	}
});

test("one client has one limit, whatever it writes into the header, and none of it is stored", async () => {
	trusting.clock.advance(60_000);
	const url = `${await trusting.address()}/api/v1/sites`;
	const left: (string | null)[] = [];
	for (const forwarded of ["one", "two", long]) {
		const answer = await fetch(url, { headers: { "x-forwarded-for": forwarded } });
		left.push(answer.headers.get("x-ratelimit-remaining"));
	}
	assert.deepEqual(left, ["59", "58", "57"]);
	await createSite(trusting, ann);
	const { headers } = ann;
	const payload = JSON.stringify({ email: "ann@example.com", password: "correct horse battery staple 7" });
	await fetch(`${await trusting.address()}/api/v1/auth/token`, {
		method: "POST",
		headers: { "x-forwarded-for": "<script>", "content-type": "application/json" },
		body: payload,
	});
	const sessions = await trusting.inject({ url: "/api/v1/auth/sessions", headers });
	const places = sessions.json().data.sessions.map(({ ip_address: ip }: { ip_address: string }) => ip);
	assert.deepEqual(new Set(places), new Set(["127.0.0.1"]));
});
