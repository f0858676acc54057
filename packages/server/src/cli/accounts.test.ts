import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { sql } from "kysely";
import { cli } from "../../test/support/cli.ts";
import { openMetadata } from "../platform/metadata/open-metadata.ts";
import { formatTable } from "./print-records.ts";

const dataDir = mkdtempSync(join(tmpdir(), "footfall-cli-"));
after(() => rmSync(dataDir, { recursive: true, force: true }));

/** Runs `footfall` on a store that the tests of this file share. */
async function footfall(args: readonly string[], input = "") {
	const printed = await cli(args, { env: { DATA_DIR: dataDir, NODE_ENV: "development" }, input });
	return { ...printed, json: () => JSON.parse(printed.out) };
}

const password = "correct horse battery staple 7";
const newUser = ["users", "create", "--email", "Ann@example.com", "--name", "Ann", "--superadmin", "--json"];

test("a user, a site and a token are made and listed without a running server", async () => {
	const user = await footfall([...newUser, "--password-stdin"], `${password}\n`);
	assert.deepEqual([user.code, user.error], [0, ""]);
	assert.deepEqual([user.json().id, user.json().email, user.json().role], [1, "ann@example.com", "superadmin"]);

	const siteArgs = ["--name", "My Shop", "--domain", "shop.example", "--domain", "localhost", "--json"];
	const site = (await footfall(["sites", "create", ...siteArgs])).json();
	assert.deepEqual([site.id, site.domains, site.created_by], ["my-shop", ["shop.example", "localhost"], 1]);
	assert.match(site.script_tag, /<script src="http:\/\/127\.0\.0\.1:3000\/t\.js\?id=my-shop" defer><\/script>$/);

	const owner = ["--user", "ann@example.com", "--json"];
	const token = (await footfall(["tokens", "create", ...owner, "--name", "CI", "--site", "my-shop"])).json();
	assert.match(token.token, /^svc_[A-Za-z0-9]{60}$/);
	assert.deepEqual([token.scopes, token.account_ids], [["stats:read"], ["my-shop"]]);
	assert.equal((await footfall(["tokens", "revoke", "1", ...owner])).json().is_active, false);
	assert.deepEqual((await footfall(["tokens", "list", ...owner])).json(), []);
	assert.equal((await footfall(["tokens", "list", "--all", ...owner])).json().length, 1);

	const domains = ["sites", "domains", "my-shop", "--add", "www.new.example", "--remove", "localhost", "--json"];
	assert.deepEqual((await footfall(domains)).json().domains, ["shop.example", "new.example"]);
	assert.equal((await footfall(["sites", "deactivate", "my-shop", "--json"])).json().is_active, false);
	assert.match((await footfall(["users", "list"])).out, /^ID {2}EMAIL .*\n1 {3}ann@example\.com {2}Ann {3}superadmin/);
});

test("what the command line changes is in the audit log, as done by the system", async () => {
	const metadata = await openMetadata({ databaseUrl: undefined, dataDir });
	const { rows } = await sql<{ entry: string }>`
		select action || ' ' || coalesce(site_id, resource_id) as entry from audit_log
		where user_id is null and ip_address is null order by id
	`.execute(metadata);
	await metadata.destroy();
	assert.deepEqual(
		rows.map(({ entry }) => entry),
		[
			"user.created 1",
			"site.created my-shop",
			"token.created 1",
			"token.revoked 1",
			"domain.created my-shop",
			"domain.deleted my-shop",
			"site.updated my-shop",
		],
	);
});

test("mistakes are one line on standard error and exit code 1", async () => {
	const mistakes = [
		[newUser, "", /Pipe the password in with --password-stdin/],
		// Blanks at the ends do not count, as they do not where one signs in.
		[[...newUser, "--password-stdin"], "   short        \n", /password must have at least 12 characters/],
		[["users", "disable-2fa", "ann@example.com"], "", /Two-factor authentication is off/],
		[["users", "deactivate", "nobody@example.com"], "", /There is no user nobody@example\.com/],
		[["sites", "domains", "nowhere"], "", /There is no site nowhere/],
	] as const;
	for (const [args, input, message] of mistakes) {
		const result = await footfall(args, input);
		assert.equal(result.code, 1, result.out);
		assert.match(result.error, message);
		assert.equal(result.error.trim().split("\n").length, 1, result.error);
	}
});

test("a user is deleted only when the operator says so twice, and the last superadmin never", async () => {
	const cleo = ["users", "create", "--email", "cleo@example.com", "--name", "Cleo", "--password-stdin", "--json"];
	const { id } = (await footfall(cleo, `${password}\n`)).json();
	const remove = ["users", "delete", "cleo@example.com", "--json"];
	const hesitant = await footfall(remove);
	assert.deepEqual([hesitant.code, hesitant.out], [1, ""]);
	assert.match(hesitant.error, /cleo@example\.com \(Cleo\) would be deleted permanently: confirm with --yes/);
	const done = await footfall([...remove, "--yes"]);
	assert.deepEqual(done.json(), { email: "cleo@example.com", deleted: true, organizations_deleted: [] });
	const again = (await footfall(cleo, `${password}\n`)).json();
	assert.deepEqual([again.email, again.id === id], ["cleo@example.com", false]);
	const last = await footfall(["users", "delete", "ann@example.com", "--yes"]);
	assert.deepEqual([last.code, last.error], [1, "The last active superadmin cannot be deleted\n"]);
});

test("a table aligns its columns and shows what is absent as a dash", () => {
	const rows = [
		{ id: 1, sites: ["a", "b"], last: null },
		{ id: 20, sites: [], last: "now" },
	];
	assert.equal(formatTable(rows, ["id", "sites", "last"]), "ID  SITES  LAST\n1   a,b    -\n20  -      now");
});

test("another password from the operator takes from apps what the user allowed them", async () => {
	const metadata = await openMetadata({ databaseUrl: undefined, dataDir });
	await sql`
		insert into oauth_grants (id, user_id, client_id, client_name, site_id, scopes, created_at, expires_at)
		values ('a-grant', 1, 'an-app', 'App', 'my-shop', 'analytics:read', 1, ${Date.UTC(2100, 0, 1)})
	`.execute(metadata);
	const changed = await footfall(
		["users", "password", "ann@example.com", "--password-stdin", "--json"],
		"an entirely different secret 8\n",
	);
	const { rows } = await sql<{ revoked_at: number | null }>`select revoked_at from oauth_grants`.execute(metadata);
	await metadata.destroy();
	assert.deepEqual([changed.code, changed.error], [0, ""]);
	assert.notEqual(rows[0]?.revoked_at, null);
});

test("a token of the command line has the scopes that are named, and ends after the days that are named", async () => {
	const make = ["tokens", "create", "--user", "ann@example.com", "--name", "CI", "--json", "--expires-in-days"];
	assert.match((await footfall([...make, "366"])).error, /Enter a whole number from 1 to 365/);
	const token = await footfall([...make, "365", "--scope", "sites:read", "accounts:read"]);
	const { scopes, created_at: from, expires_at: to } = token.json();
	assert.deepEqual([scopes, Date.parse(to) - Date.parse(from)], [["sites:read", "accounts:read"], 365 * 86_400_000]);
});
