import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createSite, signIn } from "../support/accounts.ts";
import { sendHit } from "../support/hits.ts";
import { runService } from "../support/service-process.ts";
import { testApp } from "../support/test-app.ts";

const directory = mkdtempSync(join(tmpdir(), "footfall-data-directory-"));
after(() => rmSync(directory, { recursive: true, force: true }));

test("other users of the machine can read nothing, also in a directory that was there before", async () => {
	const dataDir = join(directory, "open");
	mkdirSync(dataDir, { mode: 0o755 });
	mkdirSync(join(dataDir, "spool"), { mode: 0o755 });
	writeFileSync(join(dataDir, "metadata.sqlite"), "", { mode: 0o644 });
	const service = runService(["start"], { DATA_DIR: dataDir });
	await service.listening;
	const modes = readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).mode & 0o077]);
	assert.deepEqual(
		modes.filter(([, others]) => others !== 0),
		[],
	);
	assert.ok(modes.some(([name]) => name === "metadata.sqlite-wal"));
	service.child.kill("SIGTERM");
	assert.equal(await service.ended, 0);
});

test("accounts that are lost beside their hits stop the start with a line that says what to do", async () => {
	const dataDir = join(directory, "lost");
	const app = await testApp({ dataDir });
	const site = await createSite(app, await signIn(app));
	assert.equal(await sendHit(app, { site, url: "https://shop.example/" }), 204);
	await app.collector?.flush();
	await app.close();
	const metadata = join(dataDir, "metadata.sqlite");
	for (const lose of [() => truncateSync(metadata), () => rmSync(metadata)]) {
		lose();
		for (const attempt of ["first", "second"]) {
			await assert.rejects(testApp({ dataDir }), /metadata\.sqlite in DATA_DIR holds no accounts/, attempt);
		}
	}
	rmSync(join(dataDir, "events"), { recursive: true });
	await (await testApp({ dataDir })).close();
});
