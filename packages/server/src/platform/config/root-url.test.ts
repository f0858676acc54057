import assert from "node:assert/strict";
import { test } from "node:test";
import { loadConfig } from "./config.ts";
import { rootUrl } from "./root-url.ts";

test("links lead to PUBLIC_URL, else to an address that a browser on this machine can open", () => {
	const table: readonly [env: Record<string, string>, address: string][] = [
		[{}, "http://127.0.0.1:3000"],
		[{ HOST: "10.0.0.5", PORT: "8080" }, "http://10.0.0.5:8080"],
		[{ HOST: "0.0.0.0" }, "http://localhost:3000"],
		[{ HOST: "::" }, "http://localhost:3000"],
		[{ HOST: "::1" }, "http://[::1]:3000"],
		[{ HOST: "0.0.0.0", PUBLIC_URL: "https://stats.example/" }, "https://stats.example"],
	];
	for (const [env, address] of table) assert.equal(rootUrl(loadConfig(env)), address);
});

test("a PUBLIC_URL with user and password is refused: it would stand in every link", () => {
	for (const address of ["https://ann:secret@stats.example", "https://ann@stats.example"]) {
		assert.throws(() => loadConfig({ PUBLIC_URL: address }), /PUBLIC_URL must be .*, without user and password/);
	}
});
