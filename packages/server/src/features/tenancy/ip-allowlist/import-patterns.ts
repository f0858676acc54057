import { alreadyThere, type BulkResult, eachRow, patternAdder } from "./add-patterns.ts";
import { type AllowlistChange, changeAllowlist } from "./change-allowlist.ts";
import type { AllowlistDeps } from "./deps.ts";
import type { PatternFields, PatternRow, PatternType } from "./store.ts";

const MAX_LABEL = 100;

/** A text of patterns, one a line. */
interface ImportedText {
	readonly text: string;
	readonly defaultType: PatternType;
	readonly labelPrefix: string | null;
	/** Leaves out patterns that the site has already, where they would count as errors. */
	readonly skipDuplicates: boolean;
}

interface Line {
	readonly index: number;
	readonly fields: PatternFields;
}

/** Adds the patterns of a text; errors name the line, counted from 0. */
export async function importPatterns(
	deps: AllowlistDeps,
	by: AllowlistChange,
	input: ImportedText,
): Promise<BulkResult> {
	const lines = parseLines(input);
	let skipped = 0;
	const result = await changeAllowlist(deps, by, async (metadata) => {
		const add = await patternAdder(deps, metadata, by);
		return eachRow(lines, async ({ fields }) => {
			if ((await add(fields)) !== undefined) return;
			if (input.skipDuplicates) skipped += 1;
			else alreadyThere();
		});
	});
	return {
		successCount: result.successCount - skipped,
		errors: result.errors.map(({ index, message }) => ({ index: lines[index]?.index ?? index, message })),
	};
}

function parseLines({ text, defaultType, labelPrefix }: ImportedText): Line[] {
	return text.split(/\r\n|\n|\r/).flatMap((line, index) => {
		const hash = line.indexOf("#");
		const pattern = (hash < 0 ? line : line.slice(0, hash)).trim();
		if (pattern === "") return [];
		const comment = hash < 0 ? "" : line.slice(hash + 1).trim();
		const label = [labelPrefix ?? "", comment].filter((part) => part !== "").join(" ");
		const fields: PatternFields = {
			pattern,
			pattern_type: pattern.includes("/") ? "cidr" : defaultType,
			label: label === "" ? null : label.slice(0, MAX_LABEL),
			description: null,
			is_active: 1,
		};
		return [{ index, fields }];
	});
}

/** The text of some patterns, in the form that `importPatterns` reads. */
export const exportText = (rows: readonly PatternRow[]): string =>
	rows
		.map(({ pattern, label }) => {
			const comment = label?.replaceAll(/\s+/g, " ").trim() ?? "";
			return `${pattern}${comment === "" ? "" : ` # ${comment}`}\n`;
		})
		.join("");
