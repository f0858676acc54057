import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { before, test } from "node:test";
import type { Tables } from "../../migrations/metadata/tables/index.ts";
import { auditTrail } from "../../test/support/audit-trail.ts";
import { servedApp } from "../../test/support/backups.ts";
import { cli } from "../../test/support/cli.ts";
import { sendHit } from "../../test/support/hits.ts";
import { newDirectory } from "../../test/support/new-directory.ts";
import { provision } from "../../test/support/provisioning.ts";
import { testApp } from "../../test/support/test-app.ts";
import { openMetadata } from "../platform/metadata/open-metadata.ts";
import { formatTable } from "./print-records.ts";
import { readPassword } from "./prompts.ts";
import { describeArrivals } from "./sites-check.ts";

const directory = newDirectory();
const dataDir = join(directory, "data");
const env = { DATA_DIR: dataDir, RUNTIME_DIRECTORY: join(directory, "run"), PORT: "0" };
const password = "correct horse battery staple 7";

const footfall = (...args: string[]) => cli(args, { env, input: password });
const json = async (...args: string[]) => {
	const { out, error } = await footfall(...args, "--json");
	assert.equal(error, "");
	return JSON.parse(out);
};
const newUser = (name: string) => {
	const who = ["--email", `${name.toLowerCase()}@example.com`, "--name", name];
	return ["users", "create", ...who, "--password-stdin"];
};
const owner = ["--user", "ann@example.com"];
const metadataOf = () => openMetadata({ databaseUrl: undefined, dataDir });

before(async () => {
	const ann = await json(...newUser("Ann"), "--superadmin");
	assert.deepEqual([ann.id, ann.email, ann.role], [1, "ann@example.com", "superadmin"]);
	await json(...newUser("Bob"));
	await json("sites", "create", "--name", "Shop", "--domain", "shop.example");
});

test("a site and a token are made and listed without a running server, and the audit log has the system's changes", async () => {
	const site = await json("sites", "create", "--name", "My Shop", "--domain", "tents.example", "--domain", "localhost");
	assert.deepEqual([site.id, site.domains, site.created_by], ["my-shop", ["tents.example", "localhost"], 1]);
	const token = await json("tokens", "create", ...owner, "--name", "CI", "--site", "my-shop");
	assert.match(token.token, /^svc_[A-Za-z0-9]{60}$/);
	assert.deepEqual([token.scopes, token.account_ids], [["stats:read"], ["my-shop"]]);
	assert.equal((await json("tokens", "revoke", "1", ...owner)).is_active, false);
	assert.deepEqual(await json("tokens", "list", ...owner), []);
	assert.equal((await json("tokens", "list", "--all", ...owner)).length, 1);
	const domains = ["sites", "domains", "my-shop", "--add", "www.new.example", "--remove", "localhost"];
	assert.deepEqual((await json(...domains)).domains, ["tents.example", "new.example"]);
	assert.equal((await json("sites", "deactivate", "my-shop")).is_active, false);
	assert.match((await footfall("users", "list")).out, /^ID {2}EMAIL .*\n1 {3}ann@example\.com {2}Ann {3}superadmin/);
	const metadata = await metadataOf();
	const trail = (await auditTrail({ metadata })).filter(({ user }) => user === null);
	await metadata.destroy();
	const entries = trail.map(({ action, site, resource }) => `${action} ${site ?? resource}`);
	assert.deepEqual(entries, [
		...["user.created 1", "user.created 2", "site.created shop", "site.created my-shop"],
		...["token.created 1", "token.revoked 1"],
		...["domain.created my-shop", "domain.deleted my-shop", "site.updated my-shop"],
	]);
});

test("a site is shown with its script tag; its name, time zone and currency are changed, and it gets more questions", async () => {
	const shown = await json("sites", "show", "shop");
	assert.deepEqual([shown.name, shown.timezone, shown.currency], ["Shop", "UTC", "EUR"]);
	assert.match(shown.script_tag, /<script src="http:\/\/127\.0\.0\.1:0\/t\.js\?id=shop" defer>/);
	const changes = ["--name", "Tents", "--timezone", "europe/madrid", "--currency", "usd"];
	const changed = await json("sites", "set", "shop", ...changes);
	const settings = [changed.id, changed.name, changed.timezone, changed.currency];
	assert.deepEqual(settings, ["shop", "Tents", "Europe/Madrid", "USD"]);
	assert.deepEqual(await json("sites", "show", "shop"), changed);
	assert.equal((await json("sites", "questions", "shop", "--bonus", "5")).questions_remaining, 105);
});

test("mistakes end with exit code 1 and a line or two on standard error, and change nothing", async () => {
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
		[["provision-keys", "create", "--channel", "two words"], /A channel has 1 to 64 letters/],
		[["provision-keys", "revoke", "77"], /There is no live provision key 77/],
		[["provision-keys", "revoke", "x"], /Enter a whole number as id/],
		[["dance"], /unknown command 'dance'/],
		[["users", "disable-2fa", "ann@example.com"], /^.*Two-factor authentication is off.*\n$/],
		[["users", "deactivate", "nobody@example.com"], /^.*There is no user nobody@example\.com.*\n$/],
		[["users", "delete", "ann@example.com", "--yes"], /^The last active superadmin cannot be deleted\n$/],
		[["sites", "domains", "nowhere"], /^.*There is no site nowhere.*\n$/],
		[["tokens", "create", ...owner, "--name", "CI", "--expires-in-days", "366"], /Enter a whole number from 1 to 365/],
		[["users", "create", "--email", "c@example.com", "--name", "C"], /^Pipe the password in with --password-stdin\n$/],
	] as const;
	for (const [args, message] of refusals) {
		const { code, error } = await footfall(...args);
		assert.equal(code, 1);
		assert.match(error, message);
		assert.ok(error.trim().split("\n").length <= 2, error);
	}
	// Blanks at the ends do not count, as they do not where one signs in.
	const short = await cli(newUser("Cleo"), { env, input: "   short        \n" });
	assert.deepEqual([short.code, /^.*password must have at least 12 characters.*\n$/.test(short.error)], [1, true]);
	assert.deepEqual(await json("sites", "show", "shop"), before);
	assert.equal((await json("sites", "list")).length, 1);
});

test("a deactivated user is let in again, and a deactivated site is listed again", async () => {
	await json("sites", "deactivate", "shop");
	assert.deepEqual(await json("sites", "list"), []);
	assert.equal((await json("sites", "list", "--all")).length, 2);
	assert.equal((await json("sites", "activate", "shop")).is_active, true);
	await json("users", "deactivate", "bob@example.com");
	assert.deepEqual(await json("users", "activate", "bob@example.com"), { email: "bob@example.com", is_active: true });
	const users: { email: string; is_active: boolean }[] = await json("users", "list");
	const states = users.map(({ is_active: isActive }) => isActive);
	assert.deepEqual(states, [true, true]);
});

test("a user is deleted only when the operator says so twice, and the address is free again", async () => {
	const { id } = await json(...newUser("Cleo"));
	const hesitant = await footfall("users", "delete", "cleo@example.com", "--json");
	assert.deepEqual([hesitant.code, hesitant.out], [1, ""]);
	assert.match(hesitant.error, /cleo@example\.com \(Cleo\) would be deleted permanently: confirm with --yes/);
	const done = await json("users", "delete", "cleo@example.com", "--yes");
	assert.deepEqual(done, { email: "cleo@example.com", deleted: true, organizations_deleted: [] });
	assert.notEqual((await json(...newUser("Cleo"))).id, id);
});

test("another password from the operator takes from apps what the user allowed them", async () => {
	const metadata = await metadataOf();
	const grant = { id: "a-grant", user_id: 1, client_id: "an-app", client_name: "App", site_id: "my-shop" };
	const grants = metadata.withTables<Tables>();
	const values = { ...grant, scopes: "analytics:read", created_at: 1, expires_at: Date.UTC(2100, 0, 1) };
	await grants.insertInto("oauth_grants").values(values).execute();
	await json("users", "password", "ann@example.com", "--password-stdin");
	const { revoked_at: at } = await grants.selectFrom("oauth_grants").select("revoked_at").executeTakeFirstOrThrow();
	await metadata.destroy();
	assert.notEqual(at, null);
});

test("a table aligns its columns and shows what is absent as a dash", () => {
	const rows = [
		{ id: 1, sites: ["a", "b"], last: null },
		{ id: 20, sites: [], last: "now" },
	];
	assert.equal(formatTable(rows, ["id", "sites", "last"]), "ID  SITES  LAST\n1   a,b    -\n20  -      now");
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

test("migrate brings the stores of a directory up to date, repeatedly", async () => {
	for (let run = 0; run < 2; run++)
		assert.deepEqual(await footfall("migrate"), { out: "The stores are up to date.\n", error: "", code: 0 });
});

test("sites check tells what arrived and why the rest did not, with a key that is gone afterwards", async () => {
	const idle = await footfall("sites", "check", "shop");
	const answer = [idle.code, idle.error];
	assert.deepEqual(answer, [1, `No service is running on ${env.DATA_DIR}: start it, as it counts rejected hits\n`]);
	// The key of the command ends by the machine's clock.
	await using app = await servedApp({ dataDir, now: new Date().toISOString() }, env);
	for (const host of ["shop", "staging", "staging"])
		await sendHit(app, { site: "shop", url: `https://${host}.example/` });
	await app.collector?.flush();
	const { out, code, error } = await footfall("sites", "check", "shop");
	assert.deepEqual([code, error], [0, ""]);
	assert.match(out, /^Since the service started, or in the last day: 1 accepted, 2 rejected$/m);
	assert.match(out, /^ {2}2 invalid_domain: .*: add it with `footfall sites domains shop --add HOST`/m);
	assert.match(out, /^ {4}from \S*staging\.example \(2\)$/m);
	assert.deepEqual(await json("tokens", "list", ...owner), []);
});

test("sites check says what to do when nothing arrives, and when the site collects nothing", () => {
	const rejections = { available: true, accepted: 0, rejected: 0, reasons: [] };
	const status = { last_hit_at: null, total_hits: 0, script_requests: 0, last_script_request_at: null };
	assert.deepEqual(describeArrivals("shop", false, status, rejections).split("\n"), [
		"The site is inactive and does not collect: `footfall sites activate shop`",
		"No hits stored yet.",
		"Since the service started, or in the last day: 0 accepted, 0 rejected",
		"No hits and no requests for the script (/t.js): is the tag in the page?",
	]);
	const asked = { ...status, script_requests: 3, last_script_request_at: "2026-11-21T12:00:00.000Z" };
	const told = describeArrivals("shop", true, asked, rejections);
	assert.match(told, /^No hits, but 3 requests for the script, last at 2026-11-21T12:00:00\.000Z: /m);
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

test("a token of the command line has the scopes that are named, and ends after the days that are named", async () => {
	const days = ["--expires-in-days", "365", "--scope", "sites:read", "accounts:read"];
	const token = await json("tokens", "create", ...owner, "--name", "CI", ...days);
	const { scopes, created_at: from, expires_at: to } = token;
	assert.deepEqual([scopes, Date.parse(to) - Date.parse(from)], [["sites:read", "accounts:read"], 365 * 86_400_000]);
});

test("a provision key sets up sites until it is revoked, and is neither shown again nor stored", async () => {
	const created = await json("provision-keys", "create", "--channel", "plugin-store");
	assert.match(created.key, /^prov_[A-Za-z0-9]{40}$/);
	assert.deepEqual([created.id, created.channel, created.is_active], [1, "plugin-store", true]);
	await using app = await testApp({ dataDir, now: new Date().toISOString(), env: { PROVISIONING_ENABLED: "true" } });
	const before = await provision(app, { email: "dora@example.com" }, { key: created.key });
	assert.equal(before.statusCode, 200, before.body);
	const rows = await app.metadata.withTables<Tables>().selectFrom("provision_keys").selectAll().execute();
	assert.ok(rows.length > 0 && !JSON.stringify(rows).includes(created.key), "a stored key is a hash");
	const list = await footfall("provision-keys", "list");
	assert.match(list.out, /plugin-store/);
	assert.ok(!list.out.includes(created.key));
	assert.equal((await json("provision-keys", "revoke", "1")).is_active, false);
	const later = await provision(app, { email: "eve@example.com" }, { key: created.key });
	assert.equal(later.json().error.message, "invalid_provision_key");
});
