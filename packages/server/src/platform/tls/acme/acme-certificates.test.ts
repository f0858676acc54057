import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import { openAcmeServer } from "../../../../test/support/acme-server.ts";
import { newDirectory } from "../../../../test/support/new-directory.ts";
import { createTestClock, fastClock } from "../../../../test/support/test-clock.ts";
import { createPlainServer } from "../../http/require-https.ts";
import { systemClock } from "../../lib/clock.ts";
import { createGuardedFetch } from "../../outbound/guarded-fetch.ts";
import type { Certificates } from "../certificates.ts";
import { openAcmeCertificates } from "./acme-certificates.ts";

const START = "2026-11-21T12:00:00.000Z";
const DAY = 86_400_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** An authority, and a service that answers its challenges, which can be started again on the same directory. */
async function setUp(t: TestContext, { lifeDays = 90, domains = ["stats.example.test", "www.example.test"] } = {}) {
	const clock = createTestClock(START);
	const dataDir = newDirectory();
	const fetch = createGuardedFetch({ clock: systemClock, allowPrivate: true, allowPlain: true });
	const lines: string[] = [];
	let port = 0;
	const authority = await openAcmeServer({ clock, challengePort: () => port, lifeDays });
	t.after(async () => {
		await fetch.close();
		await authority.close();
	});
	const start = async (names: readonly string[] = domains): Promise<Certificates> => {
		const certificates = openAcmeCertificates({
			dataDir,
			directoryUrl: authority.directoryUrl,
			domains: names,
			email: "Ann <ops@example.test>",
			clock: { ...clock, sleep: fastClock.sleep },
			log: pino({ base: null }, { write: (line) => void lines.push(line) }),
			fetch,
		});
		const server = createPlainServer({ certificates, rootUrl: "https://stats.example.test" }).listen(0, "127.0.0.1");
		await once(server, "listening");
		port = (server.address() as AddressInfo).port;
		t.after(async () => {
			await certificates.close();
			await new Promise((done) => server.close(done));
		});
		return certificates;
	};
	const orders = () => authority.asked.filter((kind) => kind === "newOrder").length;
	const lead = (to: number) => {
		port = to;
	};
	return { clock, dataDir, authority, lines, start, orders, lead, port: () => port };
}

test("a certificate for all names is issued after each was proven, and kept where only the service's user reads it", async (t) => {
	const { authority, dataDir, start, lines } = await setUp(t);
	const certificates = await start();
	assert.equal(certificates.current(), undefined);
	await certificates.look();
	const pair = certificates.current();
	assert.deepEqual(pair?.names, ["stats.example.test", "www.example.test"]);
	const issued = new X509Certificate(pair?.cert ?? "");
	assert.ok(issued.verify(new X509Certificate(authority.root).publicKey));
	assert.deepEqual(authority.contacts, [["mailto:ops@example.test"]]);
	assert.equal(statSync(join(dataDir, "tls")).mode & 0o077, 0);
	for (const name of readdirSync(join(dataDir, "tls"))) {
		assert.equal(statSync(join(dataDir, "tls", name)).mode & 0o077, 0, name);
	}
	assert.equal(certificates.challengeAnswer("anything"), undefined);
	assert.doesNotMatch(lines.join(""), /ops@example|PRIVATE KEY|203\.0\.113/);
});

for (const [title, lifeDays, early, due] of [
	["thirty days before its end", 90, 60 * DAY - MINUTE, 60 * DAY + MINUTE],
	["that lives for six days when two are left", 6, 93 * HOUR, 98 * HOUR],
] as const) {
	test(`a certificate is renewed ${title} and not earlier, with the same account`, async (t) => {
		const { authority, clock, start, orders } = await setUp(t, { lifeDays });
		const certificates = await start();
		const changes: number[] = [];
		certificates.onChange(({ endsAt }) => changes.push(endsAt));
		await certificates.look();
		clock.advance(early);
		await certificates.look();
		assert.equal(orders(), 1);
		clock.advance(due - early);
		await certificates.look();
		assert.equal(orders(), 2);
		assert.equal((changes[1] ?? 0) - (changes[0] ?? 0), due);
		assert.equal(authority.asked.filter((kind) => kind === "newAccount").length, 1);
	});
}

test("a start goes on with what was kept, and asks anew when names were added", async (t) => {
	const { start, orders } = await setUp(t, { domains: ["stats.example.test"] });
	const first = await start();
	await first.look();
	const second = await start();
	assert.equal(second.current()?.cert, first.current()?.cert);
	await second.look();
	assert.equal(orders(), 1);
	const third = await start(["stats.example.test", "new.example.test"]);
	await third.look();
	assert.deepEqual(third.current()?.names, ["stats.example.test", "new.example.test"]);
	assert.equal(orders(), 2);
});

test("failures are tried again at growing distances; the old certificate stays, and the log says what to mend", async (t) => {
	const { clock, start, orders, lines, lead, port } = await setUp(t);
	const certificates = await start();
	await certificates.look();
	const old = certificates.current();
	const right = port();
	clock.advance(61 * DAY);
	lead(1);
	const distances: number[] = [];
	for (let last = clock.now(), made = orders(); distances.length < 6; clock.advance(MINUTE)) {
		await certificates.look();
		if (orders() === made) continue;
		distances.push((clock.now() - last) / MINUTE);
		[last, made] = [clock.now(), orders()];
	}
	assert.deepEqual(distances, [0, 1, 15, 60, 240, 720]);
	assert.equal(certificates.failures(), 6);
	assert.equal(certificates.current(), old);
	const { level, problem, reason, setting } = JSON.parse(lines.at(-1) ?? "");
	assert.deepEqual([level, problem, setting], [50, "connection", "TLS_ACME_DOMAINS"]);
	assert.match(reason, /could not fetch the answer at port 80/);
	assert.doesNotMatch(lines.join(""), /203\.0\.113|example\.test/);
	lead(right);
	clock.advance(DAY);
	await certificates.look();
	assert.equal(certificates.failures(), 0);
	assert.notEqual(certificates.current(), old);
});

test("an authority that names a time is left alone until then", async (t) => {
	const { authority, clock, start, orders } = await setUp(t);
	authority.refuse("newOrder", "rateLimited", { retryAfter: 7200 });
	const certificates = await start();
	await certificates.look();
	clock.advance(7199_000);
	await certificates.look();
	assert.equal(orders(), 1);
	clock.advance(1000);
	await certificates.look();
	assert.equal(orders(), 2);
	assert.ok(certificates.current());
});

test("a service that starts again and again asks the authority once in five minutes", async (t) => {
	const { authority, clock, start, orders } = await setUp(t);
	authority.refuse("newOrder", "rateLimited", { retryAfter: 7200, times: 9 });
	await (await start()).look();
	for (let minute = 0; minute < 4; minute++) {
		clock.advance(MINUTE);
		await (await start()).look();
	}
	assert.equal(orders(), 1);
	clock.advance(MINUTE);
	await (await start()).look();
	assert.equal(orders(), 2);
});

test("an old nonce and a forgotten account are no failures", async (t) => {
	const { authority, clock, start } = await setUp(t);
	const certificates = await start();
	authority.refuse("finalize", "badNonce");
	await certificates.look();
	assert.equal(certificates.failures(), 0);
	authority.forgetAccounts();
	clock.advance(61 * DAY);
	await certificates.look();
	assert.equal(certificates.failures(), 0);
	assert.equal(authority.asked.filter((kind) => kind === "newAccount").length, 2);
});

test("a directory that is none, an authority that is away and a foreign certificate leave everything as it was", async (t) => {
	const { authority, start, lines, dataDir } = await setUp(t);
	authority.refuse("directory", "serverInternal");
	const certificates = await start();
	await certificates.look();
	assert.equal(JSON.parse(lines.at(-1) ?? "").problem, "notADirectory");
	await authority.close();
	const again = await start();
	await again.look();
	assert.equal(again.current(), undefined);
	assert.deepEqual(readdirSync(join(dataDir, "tls")).sort(), ["account.json", "attempts.json"]);
	assert.ok(readFileSync(join(dataDir, "tls", "attempts.json"), "utf8").includes('"failures":1'));
});
