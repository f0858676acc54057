import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { configTable } from "../../src/platform/config/describe-config.ts";

test("docs/operations.md lists every setting as the code reads it", () => {
	const manual = readFileSync(new URL("../../../../docs/operations.md", import.meta.url), "utf8");
	assert.ok(
		manual.includes(configTable()),
		"the table in docs/operations.md differs: replace it by the output of `./footfall config --markdown`",
	);
});
