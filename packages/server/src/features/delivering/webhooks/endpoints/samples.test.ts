import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { webhookApp } from "../../../../../test/support/webhook-app.ts";

const guide = readFileSync(new URL("../../../../../../../docs/webhooks.md", import.meta.url), "utf8");
const languages = [
	["js", "node", "sample.mjs"],
	["python", "python3", "sample.py"],
	["php", "php", "sample.php"],
	["ruby", "ruby", "sample.rb"],
] as const;

const hooks = webhookApp();
const directory = mkdtempSync(join(tmpdir(), "footfall-samples-"));
after(() => rmSync(directory, { recursive: true, force: true }));

for (const [fence, program, file] of languages) {
	const command = program === "node" ? process.execPath : program;
	const isMissing = spawnSync(command, ["--version"]).error !== undefined;
	test(`the sample in ${fence} tells real requests from forged ones`, {
		skip: isMissing && `${program} is not on this machine`,
	}, async () => {
		const [, code] = new RegExp(`\`\`\`${fence}\n(.*?)\`\`\``, "s").exec(guide) ?? [];
		assert.ok(code);
		writeFileSync(join(directory, file), code);
		// Samples ask the machine for the time.
		hooks.app.clock.set(new Date().toISOString());
		const { secret } = await hooks.endpoint(`/${fence}`);
		await hooks.announce();
		const [call] = hooks.got(`/${fence}`);
		assert.ok(call);
		const says = (given: { body?: string; secret?: string; timestamp?: string } = {}): string => {
			const env = {
				PATH: process.env.PATH ?? "",
				WEBHOOK_SECRET: given.secret ?? secret,
				SIGNATURE: String(call.headers["x-service-signature"]),
				TIMESTAMP: given.timestamp ?? String(call.headers["x-service-timestamp"]),
			};
			const run = spawnSync(command, [join(directory, file)], {
				env,
				input: given.body ?? call.body,
				encoding: "utf8",
			});
			assert.equal(run.stderr, "");
			return run.stdout.trim();
		};
		assert.equal(says(), "authentic");
		assert.equal(says({ body: `${call.body} ` }), "forged");
		assert.equal(says({ secret: "whsec_other" }), "forged");
		assert.equal(says({ timestamp: String(Number(call.headers["x-service-timestamp"]) + 1) }), "forged");
		assert.equal(says({ timestamp: "1700000000" }), "forged");
	});
}
