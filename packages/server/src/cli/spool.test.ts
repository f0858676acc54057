import assert from "node:assert/strict";
import { readdirSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createSite, signIn } from "../../test/support/accounts.ts";
import { cli } from "../../test/support/cli.ts";
import { sendHit } from "../../test/support/hits.ts";
import { engineError } from "../../test/support/model-store.ts";
import { type TestApp, testApp } from "../../test/support/test-app.ts";

let dataDir: string;
let app: TestApp;
let site: string;
let refuses = true;
before(async () => {
	dataDir = await mkdtemp(join(tmpdir(), "footfall-cli-spool-"));
	app = await testApp({
		dataDir,
		wrapEventStore: (store) => ({
			...store,
			insert: (rows) =>
				refuses && Buffer.from(rows.tsv).includes("/refused")
					? Promise.reject(engineError("CANNOT_PARSE_TEXT"))
					: store.insert(rows),
		}),
	});
	site = await createSite(app, await signIn(app));
});
after(async () => {
	await app.close();
	rmSync(dataDir, { recursive: true });
});

const footfall = (...args: readonly string[]) => cli(args, { env: { DATA_DIR: dataDir } });

const health = async () => (await app.inject({ url: "/health" })).json();
const stored = () => app.eventStore.query({ sql: "SELECT path FROM events WHERE page_view = 1 ORDER BY path" });

test("refused rows show in /health and in a command, and are taken back by one while the service runs, once", async (t) => {
	assert.deepEqual(await footfall("spool", "status"), {
		code: 0,
		out: "0 bytes wait for the event store\n",
		error: "",
	});
	for (const path of ["/one", "/refused", "/two"]) await sendHit(app, { site, url: `https://shop.example${path}` });
	await app.collector?.flush();
	assert.deepEqual(await stored(), [{ path: "/one" }, { path: "/two" }]);
	const { status, checks } = await health();
	assert.deepEqual([status, checks.queue.status], ["degraded", "unhealthy"]);
	assert.equal(checks.queue.message, "the event store refused 1 rows, in 1 files of spool/refused");
	const [file = ""] = readdirSync(join(dataDir, "spool", "refused"));
	const refused = JSON.parse((await footfall("spool", "status", "--json")).out);
	assert.deepEqual(refused, { waitingBytes: 0, refused: [{ file, rows: 1, state: "refused" }] });

	refuses = false;
	const { out } = await footfall("spool", "retry");
	assert.equal(out, "The service tries 1 file again within five seconds, or at its next start.\n");
	const { monotonic } = app.clock;
	t.mock.method(app.clock, "monotonic", () => monotonic() + 5_000);
	await app.collector?.flush();
	assert.equal((await health()).status, "healthy");
	assert.deepEqual(await stored(), [{ path: "/one" }, { path: "/refused" }, { path: "/two" }]);
	assert.equal((await footfall("spool", "retry")).out, "There are no refused rows.\n");
});
