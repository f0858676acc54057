import { isRecord } from "../../platform/lib/is-record.ts";
import { cleanLines, cutText, storedLabel } from "../attribution/clean-text.ts";

const MAX_PROPERTIES = 50;
const MAX_NAME = 100;
const MAX_VALUE = 500;
const MAX_ITEMS = 100;
/** Deeper levels of a nested value are left out. */
const MAX_DEPTH = 20;

/**
 * Property values as the text that is stored: at most 50, names cut at 100 and values at 500 characters. Control
 * characters are left out, in values all but tabs and line ends; names lose blanks at their ends, and one without a name is
 * left out.
 */
export function storedProperties(properties: Readonly<Record<string, unknown>>): Record<string, string> {
	const stored: [string, string][] = [];
	for (const [name, value] of Object.entries(properties)) {
		if (stored.length === MAX_PROPERTIES) break;
		const label = storedLabel(name, MAX_NAME);
		if (label !== "") stored.push([label, cutText(cleanLines(propertyText(value)), MAX_VALUE)]);
	}
	return Object.fromEntries(stored);
}

/** The properties of a conversion and of its items: `items` is no property of the conversion itself. */
export function splitItems(properties: Readonly<Record<string, unknown>>): {
	readonly own: Readonly<Record<string, unknown>>;
	readonly items: readonly Readonly<Record<string, unknown>>[];
} {
	if (!Array.isArray(properties.items)) return { own: properties, items: [] };
	const { items, ...own } = properties;
	return { own, items: (Array.isArray(items) ? items : []).filter(isRecord).slice(0, MAX_ITEMS) };
}

/** Integers plain, other numbers in shortest form, null as empty, arrays and objects as JSON with sorted keys. */
function propertyText(value: unknown): string {
	if (typeof value === "string") return value;
	if (value === null || value === undefined) return "";
	if (typeof value === "number") return Number.isInteger(value) ? BigInt(value).toString() : String(value);
	return typeof value === "object" ? sortedJson(value, 0) : String(value);
}

function sortedJson(value: unknown, depth: number): string {
	if (depth > MAX_DEPTH) return "null";
	if (Array.isArray(value)) return `[${value.map((entry) => sortedJson(entry, depth + 1)).join(",")}]`;
	if (!isRecord(value)) return JSON.stringify(value);
	const names = Object.keys(value).sort();
	return `{${names.map((name) => `${JSON.stringify(name)}:${sortedJson(value[name], depth + 1)}`).join(",")}}`;
}
