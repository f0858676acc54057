import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { newDirectory } from "../../../../test/support/new-directory.ts";
import { newSecret, signatureHeaders } from "./endpoints/sealed-values.ts";

const guide = readFileSync(new URL("../../../../../../docs/webhooks.md", import.meta.url), "utf8");
const directory = newDirectory();

const secret = newSecret();
const payload = JSON.stringify({ event: "export.failed", data: { error_message: "Ünglück" } });
// Samples ask the machine for the time.
const now = Math.floor(Date.now() / 1000);
const signedAt = (timestamp: number) => ({
	SIGNATURE: signatureHeaders([secret], { eventId: "e1", payload, timestamp })["X-Service-Signature"],
	TIMESTAMP: String(timestamp),
});

/** Environment and body of requests, and what samples say to them. */
const requests: readonly (readonly [what: string, env: object, body: string, verdict: string])[] = [
	["a request", signedAt(now), payload, "authentic"],
	["another body", signedAt(now), `${payload} `, "forged"],
	["another secret", { ...signedAt(now), WEBHOOK_SECRET: "whsec_other" }, payload, "forged"],
	["another time", { ...signedAt(now), TIMESTAMP: String(now + 1) }, payload, "forged"],
	["a request of long ago", signedAt(1_700_000_000), payload, "forged"],
];

for (const [fence, command, file] of [
	["js", process.execPath, "sample.mjs"],
	["python", "python3", "sample.py"],
	["php", "php", "sample.php"],
	["ruby", "ruby", "sample.rb"],
] as const) {
	const isMissing = spawnSync(command, ["--version"]).error !== undefined;
	test(`the sample in ${fence} tells real requests from forged ones`, {
		skip: isMissing && `${command} is not on this machine`,
	}, () => {
		const [, code] = new RegExp(`\`\`\`${fence}\n(.*?)\`\`\``, "s").exec(guide) ?? [];
		assert.ok(code);
		writeFileSync(join(directory, file), code);
		for (const [what, env, input, verdict] of requests) {
			const given = { PATH: process.env.PATH ?? "", WEBHOOK_SECRET: secret, ...env };
			const run = spawnSync(command, [join(directory, file)], { env: given, input, encoding: "utf8" });
			assert.deepEqual([run.stderr, run.stdout.trim()], ["", verdict], what);
		}
	});
}
