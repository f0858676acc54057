import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../server/test/support/temporary-folder.ts";
import { verifySnippet } from "./verify-snippets.ts";

const secret = "whsec_c2VjcmV0";
const call = {
	body: JSON.stringify({ event: "export.failed", data: { error_message: `It's "Ünglück" \\ $HOME \u2028 😀\n` } }),
	timestamp: 1763726400,
	url: "https://hooks.example.com/it's?a=1&b=2",
};
const signature = (body: string, timestamp: number | string) =>
	`sha256=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;
const signed = signature(call.body, call.timestamp);

const directory = temporaryFolder();
const has = (command: string, asked = "--version") => spawnSync(command, [asked]).status === 0;

/** Runs a program with the secret and a signature in its environment. */
function run(command: string, file: string, text: string, received: string): string {
	const path = join(directory, file);
	writeFileSync(path, text);
	const env = { PATH: `${directory}:${process.env["PATH"]}`, WEBHOOK_SECRET: secret, SIGNATURE: received };
	const { stdout, stderr } = spawnSync(command, [path], { env, encoding: "utf8" });
	assert.equal(stderr, "");
	return stdout.trimEnd();
}

for (const [language, command, file] of [
	["node", process.execPath, "check.mjs"],
	["python", "python3", "check.py"],
	["php", "php", "check.php"],
] as const) {
	test(`the check in ${language} knows this call from a forged one`, { skip: !has(command) }, () => {
		const text = verifySnippet(language, call);
		assert.equal(run(command, file, text, signed), "authentic");
		assert.equal(run(command, file, text, "sha256=00"), `forged, expected ${signed}`);
	});
}

test("the call by curl brings the same body with a signature of now", { skip: !has("openssl", "version") }, () => {
	// Stands in the place of curl, and tells what it was called with.
	writeFileSync(join(directory, "curl"), `#!/bin/sh\nfor one in "$@"; do printf '%s\\0' "$one"; done`, { mode: 0o755 });
	const args = run("sh", "call.sh", verifySnippet("curl", call), "").split("\0");
	const header = (name: string) => args.find((arg) => arg.startsWith(`${name}: `))?.slice(name.length + 2) ?? "";
	assert.equal(args[1], call.url);
	assert.equal(args[args.indexOf("--data-raw") + 1], call.body);
	const moment = header("X-Service-Timestamp");
	assert.ok(Math.abs(Number(moment) - Date.now() / 1000) < 60, moment);
	assert.equal(header("X-Service-Signature"), signature(call.body, moment));
});
