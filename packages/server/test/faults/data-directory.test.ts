import assert from "node:assert/strict";
import { cpSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createSite, signIn } from "../support/accounts.ts";
import { sendHit } from "../support/hits.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testApp } from "../support/test-app.ts";

const directory = temporaryFolder();

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

test("a backup that was copied through its links is refused with the engine's reason", async () => {
	const dataDir = join(directory, "links");
	const app = await testApp({ dataDir });
	await app.close();
	const copy = join(directory, "links-copy");
	cpSync(dataDir, copy, { recursive: true, dereference: true });
	await assert.rejects(
		testApp({ dataDir: copy }),
		/^Error: The event store in DATA_DIR cannot be used: .*[A-Z_]+ \(\d+\)/,
	);
});
