import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Tables } from "../../migrations/metadata/tables/index.ts";
import { cli } from "../../test/support/cli.ts";
import { provision } from "../../test/support/provisioning.ts";
import { testApp } from "../../test/support/test-app.ts";
import { loadConfig } from "../platform/config/config.ts";
import { withSecretKey } from "../platform/config/secret-key.ts";

const dataDir = mkdtempSync(join(tmpdir(), "footfall-cli-"));
withSecretKey(loadConfig({ DATA_DIR: dataDir }));
after(() => rmSync(dataDir, { recursive: true, force: true }));

const footfall = (...args: readonly string[]) =>
	cli(["provision-keys", ...args], { env: { DATA_DIR: dataDir, NODE_ENV: "development" } });

test("a key made by the command sets up sites until it is revoked, and is neither shown again nor stored", async (t) => {
	const created = JSON.parse((await footfall("create", "--channel", "plugin-store", "--json")).out);
	assert.match(created.key, /^prov_[A-Za-z0-9]{40}$/);
	assert.deepEqual([created.id, created.channel, created.is_active], [1, "plugin-store", true]);

	const app = await testApp({ dataDir, env: { PROVISIONING_ENABLED: "true" } });
	t.after(() => app.close());
	const before = await provision(app, { email: "ann@example.com" }, { key: created.key });
	assert.equal(before.statusCode, 200, before.body);

	const rows = await app.metadata.withTables<Tables>().selectFrom("provision_keys").selectAll().execute();
	assert.ok(rows.length > 0 && !JSON.stringify(rows).includes(created.key), "a stored key is a hash");

	const list = await footfall("list");
	assert.match(list.out, /plugin-store/);
	assert.ok(!list.out.includes(created.key));
	assert.equal(JSON.parse((await footfall("revoke", "1", "--json")).out).is_active, false);

	const later = await provision(app, { email: "bob@example.com" }, { key: created.key });
	assert.equal(later.json().error.message, "invalid_provision_key");
});

test("mistakes are one line and exit code 1", async () => {
	for (const [args, message] of [
		[["create", "--channel", "two words"], /A channel has 1 to 64 letters/],
		[["revoke", "77"], /There is no live provision key 77/],
		[["revoke", "x"], /Enter a whole number as id/],
	] as const) {
		const { error, code } = await footfall(...args);
		assert.match(error, message);
		assert.equal(code, 1);
	}
});
