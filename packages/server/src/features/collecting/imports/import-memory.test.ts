import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { importApp, line, log } from "../../../../test/support/import-site.ts";

const { newSite } = importApp({ env: { IMPORT_MEMORY: "64MB" } });

test("a file that takes too much memory fails its import with a reason, and the service goes on", async () => {
	const own = await newSite();
	const paths = Array.from({ length: 1500 }, (_, n) => `GET /${n}${"x".repeat(60_000)} HTTP/1.1`);
	const lines = paths.map((path) => line("192.0.2.1", "10/Nov/2026:10:00:00 +0000", path));
	const large = gzipSync(lines.join("\n"), { level: 1 });
	const { status, error_message } = await own.import(large);
	assert.equal(status, "failed");
	assert.match(String(error_message), /more than 64 MB of memory/);
	assert.equal((await own.import(log)).status, "completed");
});
