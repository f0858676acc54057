// Writes `src/features/definitions/definitions.generated.ts` from the tables of `docs/metrics.md`: by which SQL each metric
// is calculated, and what comes out in the example. With `--check` it writes nothing and fails when the file is not what it
// would write.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

interface Definition {
	/** How a rate is made of sums. */
	readonly formula?: string;
	readonly sql: string;
	/** What the example gives: of the 20th and the 21st, or as a calculation over both days. */
	readonly example: readonly [string, string] | readonly [string];
}

const root = fileURLToPath(new URL("../../../", import.meta.url));
const source = readFileSync(`${root}docs/metrics.md`, "utf8");

/** The cells of the first table whose head begins with a word; an escaped bar would be none of ours. */
function tableOf(head: string): readonly (readonly string[])[] {
	const lines = source.split("\n");
	const start = lines.findIndex((line) => line.startsWith(`| ${head} |`));
	if (start === -1) throw new Error(`docs/metrics.md has no table that begins with ${head}`);
	const length = lines.slice(start).findIndex((line) => !line.startsWith("|"));
	return lines.slice(start + 2, start + length).map((line) =>
		line
			.split("|")
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
}

const bare = (text: string) => text.replaceAll("`", "");

/** The block of SQL below a heading. */
function blockBelow(heading: string): string {
	const found = new RegExp(`### ${heading}\\n+\`\`\`sql\\n([^\`]+?)\\n\`\`\``).exec(source)?.[1];
	if (found === undefined) throw new Error(`docs/metrics.md has no SQL below ${heading}`);
	return found;
}

const sums = Object.fromEntries(
	tableOf("Metric").map(([name = "", sql = "", , first = "", second = ""]): [string, Definition] => {
		const section = /see \[(\w+)\]/.exec(sql)?.[1];
		return [bare(name), { sql: section ? blockBelow(section) : bare(sql), example: [first, second] }];
	}),
);

/** A rate in SQL: its formula up to the first remark, with the sums in place of their names. */
function sqlOf(formula: string): string {
	const expression = (formula.split(/[,;:]/)[0] ?? "")
		.replaceAll(/`(\w+)`/g, (_, name: string) => sums[name]?.sql ?? name)
		.replaceAll(" x ", " * ");
	return formula.includes("at most 100") ? `least(${expression}, 100)` : expression;
}

const rates = Object.fromEntries(
	tableOf("Rate").flatMap(([name = "", formula = "", example = ""]): [string, Definition][] =>
		formula.includes(" / ")
			? [[bare(name), { formula: bare(formula.split(/[;:]/)[0] ?? ""), sql: sqlOf(formula), example: [example] }]]
			: [],
	),
);

const text = `// Written by scripts/generate-definitions.ts from docs/metrics.md. Do not edit.

/** By which SQL each metric is calculated, and what comes out in the example of \`docs/metrics.md\`. */
export const definitions: Readonly<
	Record<
		string,
		{ readonly formula?: string; readonly sql: string; readonly example: readonly [string, string] | readonly [string] }
	>
> = ${JSON.stringify({ ...sums, ...rates }, undefined, "\t")};
`;

const target = fileURLToPath(new URL("../src/features/definitions/definitions.generated.ts", import.meta.url));
if (process.argv.includes("--check")) {
	if (readFileSync(target, "utf8") !== text) {
		console.error(
			"definitions.generated.ts is not what docs/metrics.md says: run packages/dashboard/scripts/generate-definitions.ts",
		);
		process.exitCode = 1;
	}
} else {
	writeFileSync(target, text);
}
