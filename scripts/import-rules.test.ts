import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { cruise, type IConfiguration } from "dependency-cruiser";
import { temporaryFolder } from "../packages/server/test/support/temporary-folder.ts";
import { root } from "./lib/root.ts";

const { default: config }: { readonly default: IConfiguration } = await import(join(root, ".dependency-cruiser.mjs"));

/** Names of the rules that a tree of sources breaks; keys are paths in `packages/server/src`. */
async function brokenRules(t: TestContext, files: Readonly<Record<string, string>>): Promise<string[]> {
	const baseDir = temporaryFolder(t);
	for (const [path, text] of Object.entries(files)) {
		const file = join(baseDir, "packages/server/src", path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
	}
	const { options, ...ruleSet } = config;
	const { output } = await cruise(["packages/server"], { ...options, baseDir, validate: true, ruleSet });
	assert.ok(typeof output === "object");
	return [...new Set(output.summary.violations.map(({ rule }) => rule.name))].sort();
}

const nothing = "export const nothing = 0;\n";

const rows = "../migrations/metadata/tables/index.ts";
const fromRows = 'from "../../../../migrations/metadata/tables/index.ts";\n';
const asks = `import { type Row, tables } ${fromRows}export const rows: Row = tables;\n`;
const stored = {
	[rows]: "export type Row = number;\nexport const tables = 0;\n",
	"features/tenancy/sites/store.ts": asks,
	"features/tenancy/sites/site.ts": `import type { Row } ${fromRows}export type Site = Row;\n`,
};

const trees: Readonly<Record<string, readonly [files: Readonly<Record<string, string>>, broken: readonly string[]]>> = {
	"an import downwards breaks no rule": [
		{
			"composition/app.ts": 'import "../features/reporting/stats/index.ts";\n',
			"features/reporting/stats/index.ts": 'import "../../tenancy/sites/index.ts";\nimport "./engine.ts";\n',
			"features/reporting/stats/engine.ts": 'import "../../../platform/lib/clock.ts";\n',
			"features/tenancy/sites/index.ts": nothing,
			"platform/lib/clock.ts": 'import "node:fs";\n',
		},
		[],
	],
	"platform may not import a feature, not even a type": [
		{
			"platform/jobs/queue.ts": 'import type { A } from "../../features/tenancy/sites/index.ts";\nexport type B = A;\n',
			"features/tenancy/sites/index.ts": "export type A = number;\n",
		},
		["platform-knows-no-product"],
	],
	"platform may not import the tables of the product, which themselves know nothing above platform": [
		{
			[rows]: 'import type { A } from "../../../src/access/index.ts";\nexport type B = A;\n',
			"access/index.ts": "export type A = number;\n",
			"platform/jobs/queue.ts":
				'import type { B } from "../../../migrations/metadata/tables/index.ts";\nexport type C = B;\n',
		},
		["platform-knows-no-tables", "tables-know-platform-only"],
	],
	"a wing may not import one that it does not know": [
		{
			"features/tenancy/sites/index.ts": 'import "../../reporting/stats/index.ts";\n',
			"features/reporting/stats/index.ts": nothing,
		},
		["wing-tenancy"],
	],
	"a slice is entered by its index.ts alone": [
		{
			"features/reporting/stats/index.ts": 'import "../../tenancy/sites/store.ts";\n',
			"features/tenancy/sites/store.ts": nothing,
		},
		["slices-meet-at-their-door"],
	],
	"a slice may name rows everywhere": [stored, []],
	"a slice asks for rows in its stores alone": [
		{ ...stored, "features/tenancy/sites/list.ts": asks },
		["sql-lives-in-stores"],
	],
	"analytics may not know HTTP, and imports may not go round in a circle": [
		{
			"analytics/query/run.ts": 'import "../../platform/http/app.ts";\nimport "./compile.ts";\n',
			"analytics/query/compile.ts": 'import "./run.ts";\n',
			"platform/http/app.ts": nothing,
		},
		["analytics-knows-no-http", "no-circular"],
	],
};

for (const [title, [files, broken]] of Object.entries(trees))
	test(title, async (t) => assert.deepEqual(await brokenRules(t, files), broken));
