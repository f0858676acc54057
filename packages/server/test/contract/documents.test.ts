import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Dimension } from "../../src/analytics/catalog/dimensions.ts";
import { metricNames } from "../../src/analytics/catalog/metrics.ts";
import { rates } from "../../src/analytics/catalog/rates.ts";
import { fieldDimensions } from "../../src/analytics/query/question/filter-vocabulary.ts";
import { configTable } from "../../src/cli/config.ts";
import { AUTOMATIC_EVENTS } from "../../src/features/collecting/tracker-script/fill-in.ts";
import { type QueryDimension, queryDimensions } from "../../src/features/reporting/query/schemas.ts";
import { scriptTag } from "../../src/features/tenancy/sites/pixel-routes.ts";
import { words } from "../support/words.ts";

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");

test("docs/operations.md lists every setting as the code reads it", () => {
	const isSame = read("docs/operations.md").includes(configTable());
	assert.ok(
		isSame,
		"the table in docs/operations.md differs: replace it by the output of `./footfall config --markdown`",
	);
});

/** Dimensions that the open query does not group by: a new one is named here, or in the query's vocabulary. */
const notInQuery = {
	landing_content_grouping: "what `content_grouping` means where landing pages are asked for",
} as const satisfies Record<Exclude<Dimension, QueryDimension>, string>;

type FilterDimension = (typeof fieldDimensions)[keyof typeof fieldDimensions];

/** Dimensions that filters and segments do not compare: a new one is named here, or in the vocabulary of filters. */
const notInFilters = {
	date: "a report has dates of its own",
	landing_content_grouping: "what `content_grouping` means on reports about visits",
} as const satisfies Record<Exclude<Dimension, FilterDimension>, string>;

test("every dimension, metric and rate has its row in docs/metrics.md", () => {
	const rows = read("docs/metrics.md").matchAll(/^\| (.*?) \|/gm);
	const described = [...rows].map(([, first]) => first).join();
	const dimensions = [...queryDimensions, ...Object.values(fieldDimensions), ...Object.keys(notInQuery)];
	const names = new Set([...dimensions, ...Object.keys(notInFilters), ...metricNames, ...Object.keys(rates)]);
	for (const name of names) assert.ok(described.includes(`\`${name}\``), `docs/metrics.md has no row for ${name}`);
});

const guide = read("docs/tracker.md");
const stub = /^<script>(.*?)<\/script>/.exec(scriptTag(""))?.[1] ?? "";

test("README and docs/tracker.md show the script tag as the API gives it", () => {
	assert.ok(read("README.md").includes(scriptTag("http://127.0.0.1:3000/t.js?id=shop")));
	assert.ok(guide.includes(scriptTag("https://stats.example.com/t.js?id=shop")));
	const copies = [...guide.matchAll(/typeof window\.footfall.*?\(\[\]\)/g)].map(([copy]) => copy);
	assert.deepEqual(copies, [stub, stub, stub]);
});

test("the content policy of docs/tracker.md allows the call stub of the tag", () => {
	const hash = createHash("sha256").update(stub).digest("base64");
	assert.ok(guide.includes(`'sha256-${hash}'`), `sha256-${hash}`);
});

test("docs/tracker.md has a row for every automatic event", () => {
	for (const name of AUTOMATIC_EVENTS) assert.match(guide, new RegExp(`^\\| \`${name}\` \\|`, "m"));
});

test("every source file that docs/architecture.md and docs/decisions name exists", () => {
	const root = fileURLToPath(new URL("../../../../", import.meta.url));
	const find = (pattern: string) =>
		globSync(pattern, { cwd: root, exclude: (name) => /^(node_modules|dist)$/.test(name) });
	const files = ["packages/**/*.{ts,tsx}", "{scripts,bench}/**/*.ts"].flatMap(find);
	for (const document of find("docs/{architecture.md,decisions/*.md}")) {
		for (const [, name = ""] of read(document).matchAll(/`((?:[\w-]+\/)*[\w.-]+\.tsx?)`/g))
			assert.ok(
				files.some((file) => `/${file}`.endsWith(`/${name}`)),
				`${document}: ${name}`,
			);
	}
});

const security = read("docs/security.md");

/** The requirements of OWASP ASVS 5.0.0 up to level 2: a line for each chapter, the first and last number of each section. */
const chapters = `
	1.1.1-2 1.2.1-9 1.3.1-11 1.4.1-3 1.5.1-2
	2.1.1-3 2.2.1-3 2.3.1-4 2.4.1
	3.2.1-2 3.3.1-4 3.4.1-6 3.5.1-5 3.7.1-2
	4.1.1-3 4.2.1 4.3.1-2 4.4.1-4
	5.1.1 5.2.1-3 5.3.1-2 5.4.1-3
	6.1.1-3 6.2.1-12 6.3.1-4 6.4.1-4 6.5.1-5 6.6.1-3 6.8.1-4
	7.1.1-3 7.2.1-4 7.3.1-2 7.4.1-5 7.5.1-2 7.6.1-2
	8.1.1-2 8.2.1-3 8.3.1 8.4.1
	9.1.1-3 9.2.1-4
	10.1.1-2 10.2.1-2 10.3.1-4 10.4.1-11 10.5.1-5 10.6.1-2 10.7.1-3
	11.1.1-2 11.2.1-3 11.3.1-3 11.4.1-4 11.5.1 11.6.1
	12.1.1-3 12.2.1-2 12.3.1-4
	13.1.1 13.2.1-5 13.3.1-2 13.4.1-5
	14.1.1-2 14.2.1-4 14.3.1-3
	15.1.1-3 15.2.1-3 15.3.1-7
	16.1.1 16.2.1-5 16.3.1-4 16.4.1-3 16.5.1-3
	17.1.1 17.2.1-4 17.3.1-2`;

const requirements = words(chapters).flatMap((run) => {
	const [, section = "", first = "", last = first] = /^(\d+\.\d+)\.(\d+)(?:-(\d+))?$/.exec(run) ?? [];
	const count = Number(last) - Number(first) + 1;
	return Array.from({ length: count }, (_, index) => `${section}.${Number(first) + index}`);
});

const rows = security
	.split("\n")
	.map((line) => line.split("|").map((cell) => cell.trim()))
	.filter(([, ids]) => ids !== undefined && /^\d+\.\d+\.\d+/.test(ids))
	.map(([, ids = "", met = "", how = "", shown = ""]) => ({ ids: ids.split(", "), met, how, shown }));

test("every requirement of levels 1 and 2 stands in the map once, and no other", () => {
	assert.equal(requirements.length, 253);
	assert.deepEqual(rows.flatMap(({ ids }) => ids).toSorted(), requirements.toSorted());
});

test("every row says whether and how a requirement is met", () => {
	for (const { ids, met, how } of rows) {
		assert.ok(["yes", "partly", "no", "n/a", "operator"].includes(met), `${ids}: ${met}`);
		assert.ok(how.length > 5, ids.join());
	}
});

test("every test that the document names exists under this title", () => {
	const named = [...security.matchAll(/`((?:src|test|\.\.)\/[^`]+\.test\.ts)`(?:\s"([^"]+)")?/g)];
	assert.ok(named.length > 90, String(named.length));
	for (const [, file = "", title] of named) {
		const path = new URL(file, new URL("../../", import.meta.url));
		assert.ok(existsSync(path), file);
		if (title !== undefined) assert.ok(readFileSync(path, "utf8").includes(`test("${title}"`), `${file} "${title}"`);
	}
});
