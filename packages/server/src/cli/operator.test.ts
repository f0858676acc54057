import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { servedApp } from "../../test/support/backups.ts";
import { cli } from "../../test/support/cli.ts";
import { sendHit } from "../../test/support/hits.ts";
import { describeArrivals } from "./describe-arrivals.ts";
import { readPassword } from "./read-password.ts";

const directory = mkdtempSync(join(tmpdir(), "footfall-operator-"));
after(() => rmSync(directory, { recursive: true, force: true }));
const env = { DATA_DIR: join(directory, "data"), RUNTIME_DIRECTORY: join(directory, "run"), PORT: "0" };
const password = "correct horse battery staple 7";

const footfall = (...args: string[]) => cli(args, { env, input: password });
const json = async (...args: string[]) => {
	const { out, error } = await footfall(...args, "--json");
	assert.equal(error, "");
	return JSON.parse(out);
};

before(async () => {
	await json("users", "create", "--email", "ann@example.com", "--name", "Ann", "--superadmin", "--password-stdin");
	await json("users", "create", "--email", "bob@example.com", "--name", "Bob", "--password-stdin");
	await json("sites", "create", "--name", "Shop", "--domain", "shop.example");
});

test("a site is shown with its script tag; its name, time zone and currency are changed, and it gets more questions", async () => {
	const shown = await json("sites", "show", "shop");
	assert.deepEqual([shown.name, shown.timezone, shown.currency], ["Shop", "UTC", "EUR"]);
	assert.match(shown.script_tag, /<script src="http:\/\/127\.0\.0\.1:0\/t\.js\?id=shop" defer>/);
	const changes = ["--name", "Tents", "--timezone", "europe/madrid", "--currency", "usd"];
	const changed = await json("sites", "set", "shop", ...changes);
	assert.deepEqual(
		[changed.id, changed.name, changed.timezone, changed.currency],
		["shop", "Tents", "Europe/Madrid", "USD"],
	);
	assert.deepEqual(await json("sites", "show", "shop"), changed);
	assert.equal((await json("sites", "questions", "shop", "--bonus", "5")).questions_remaining, 105);
});

test("settings of sites that the API refuses are refused in a line or two, and change nothing", async () => {
	const before = await json("sites", "show", "shop");
	const refusals = [
		[["sites", "create", "--name", "Other", "--currency", "euro"], /Enter an ISO 4217 code/],
		[["sites", "set", "shop", "--currency", "€"], /Enter an ISO 4217 code/],
		[["sites", "set", "shop", "--name", " "], /Enter a name of 1 to 255 characters/],
		[["sites", "set", "shop", "--timezone", "Mars/Olympus"], /[Tt]ime ?zone/],
		[["sites", "set", "shop"], /^Give a setting to change: --name, --timezone, --currency$/m],
		[["sites", "show", "nowhere"], /^There is no site nowhere/],
		[["sites", "purge", "shop"], /^shop \(.+\) would be deleted permanently.*: confirm with --yes/],
		[["sites", "purge", "nowhere", "--yes"], /^There is no site nowhere/],
	] as const;
	for (const [args, message] of refusals) {
		const { code, error } = await footfall(...args);
		assert.equal(code, 1);
		assert.match(error, message);
	}
	assert.deepEqual(await json("sites", "show", "shop"), before);
	assert.equal((await json("sites", "list")).length, 1);
});

test("a deactivated user is let in again, and a deactivated site is listed again", async () => {
	await json("sites", "deactivate", "shop");
	assert.deepEqual(await json("sites", "list"), []);
	assert.equal((await json("sites", "list", "--all")).length, 1);
	assert.equal((await json("sites", "activate", "shop")).is_active, true);
	await json("users", "deactivate", "bob@example.com");
	assert.deepEqual(await json("users", "activate", "bob@example.com"), { email: "bob@example.com", is_active: true });
	const users: { email: string; is_active: boolean }[] = await json("users", "list");
	assert.deepEqual(
		users.map(({ is_active: isActive }) => isActive),
		[true, true],
	);
});

/** Somebody who types lines as they are asked for. */
function typist(lines: readonly string[]) {
	const input = Object.assign(new PassThrough(), { isTTY: true });
	const output = new PassThrough();
	const left = [...lines];
	output.on("data", (chunk: Buffer) => {
		const isAsked = chunk.toString().endsWith(": ");
		if (isAsked) input.write(left.shift() ?? "\u0003");
	});
	return { terminal: { input, output }, shown: async () => text(output.end()) };
}

test("a password is asked for twice, shown nowhere, and refused when the two differ or nothing comes", async () => {
	const twice = typist([`${password}\n`, `${password} \n`]);
	assert.equal(await readPassword({}, twice.terminal), password);
	const differing = typist([`${password}\n`, "another one of mine\n"]);
	await assert.rejects(readPassword({}, differing.terminal), /^ConfigError: The passwords differ$/);
	await assert.rejects(readPassword({}, typist([]).terminal), /^ConfigError: No password entered$/);
});

test("config check is content with the defaults, and names what is doubtful with exit code 1", async () => {
	const fine = await footfall("config", "check");
	assert.equal(fine.out, `Data: ${env.DATA_DIR}\nNo service is running on it.\nThe settings are valid.\n`);
	assert.equal(fine.code, 0);
	const file = join(directory, "a-file");
	writeFileSync(file, "");
	const settings = { ...env, PUBLIC_URL: "http://stats.lan", DATA_DIR: file };
	const doubtful = await cli(["config", "check"], { env: settings });
	assert.equal(doubtful.code, 1);
	assert.match(doubtful.out, /^PUBLIC_URL begins with http:, and browsers drop secure cookies there: no form works\./m);
	assert.match(doubtful.out, /^DATA_DIR \S+a-file is no directory$/m);
	const wrong = await cli(["config", "check"], { env: { ...env, PORT: "high" } });
	assert.deepEqual([wrong.code, wrong.error], [1, "PORT must be a whole number from 0 to 65535\n"]);
});

test("config prints the effective settings with secrets masked", async () => {
	const { out, code } = await cli(["config"], { env: { SECRET_KEY: "s".repeat(40), PORT: "8080" } });
	assert.equal(code, 0);
	assert.match(out, /^PORT=8080$/m);
	assert.match(out, /^SECRET_KEY=\*{8}$/m);
});

test("migrate brings the stores of a directory up to date, repeatedly", async () => {
	for (let run = 0; run < 2; run++)
		assert.deepEqual(await footfall("migrate"), { out: "The stores are up to date.\n", error: "", code: 0 });
});

test("an unknown command fails and points to the help", async () => {
	const { code, error } = await footfall("dance");
	assert.deepEqual([code, /unknown command 'dance'/.test(error)], [1, true], error);
});

test("sites check tells what arrived and why the rest did not, with a key that is gone afterwards", async (t) => {
	const idle = await footfall("sites", "check", "shop");
	assert.deepEqual(
		[idle.code, idle.error],
		[1, `No service is running on ${env.DATA_DIR}: start it, as it counts rejected hits\n`],
	);
	// The key of the command ends by the machine's clock.
	const app = await servedApp({ dataDir: env.DATA_DIR, now: new Date().toISOString() }, env);
	t.after(() => app.close());
	for (const host of ["shop", "staging", "staging"])
		await sendHit(app, { site: "shop", url: `https://${host}.example/` });
	await app.collector?.flush();
	const { out, code, error } = await footfall("sites", "check", "shop");
	assert.deepEqual([code, error], [0, ""]);
	assert.match(out, /^Since the service started, or in the last day: 1 accepted, 2 rejected$/m);
	assert.match(out, /^ {2}2 invalid_domain: .*: add it with `footfall sites domains shop --add HOST`/m);
	assert.match(out, /^ {4}from \S*staging\.example \(2\)$/m);
	assert.deepEqual(await json("tokens", "list", "--user", "ann@example.com"), []);
});

test("sites check says what to do when nothing arrives, and when the site collects nothing", () => {
	const rejections = { available: true, accepted: 0, rejected: 0, reasons: [] };
	const status = { last_hit_at: null, total_hits: 0, script_requests: 0, last_script_request_at: null };
	assert.deepEqual(describeArrivals({ id: "shop", isActive: false, status, rejections }).split("\n"), [
		"The site is inactive and does not collect: `footfall sites activate shop`",
		"No hits stored yet.",
		"Since the service started, or in the last day: 0 accepted, 0 rejected",
		"No hits and no requests for the script (/t.js): is the tag in the page?",
	]);
	const asked = { ...status, script_requests: 3, last_script_request_at: "2026-11-21T12:00:00.000Z" };
	assert.match(
		describeArrivals({ id: "shop", isActive: true, status: asked, rejections }),
		/^No hits, but 3 requests for the script, last at 2026-11-21T12:00:00\.000Z: /m,
	);
});

test("seed fills today too, and each --append adds other rows", async () => {
	assert.equal((await json("sites", "create", "--name", "Demo", "--owner", "bob@example.com")).created_by, 2);
	const seed = async (...more: string[]) => {
		const { out, error, code } = await footfall("seed", "--site", "demo", "--rows", "3000", "--days", "3", ...more);
		return { rows: Number(/^([\d,]+) rows/.exec(out)?.[1]?.replace(",", "")), error, code };
	};
	const first = await seed();
	assert.equal(first.code, 0, first.error);
	assert.match((await seed()).error, /has data already; use --append to add to it/);
	const second = await seed("--append");
	assert.ok(second.rows >= 3000, second.error);
	assert.ok((await seed("--append", "--seed", "7", "--until", "2026-11-20")).rows >= 3000);
	const again = await seed("--append", "--seed", "7", "--until", "2026-11-20");
	assert.deepEqual([again.code, again.error], [1, "These rows exist already: use another --seed\n"]);
	const file = join(directory, "rows.ndjson");
	const now = Temporal.Now.zonedDateTimeISO("UTC").subtract({ minutes: 30 });
	const day = now.toPlainDate().toString();
	const written = await footfall("export", "--site", "demo", "--format", "ndjson", "--out", file, "--from", day);
	assert.match(written.out, /^[1-9][\d,]* events/, written.error);
});
