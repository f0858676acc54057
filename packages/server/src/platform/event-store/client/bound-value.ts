import type { QueryParam } from "../event-store.ts";

/** Characters that end a value or begin an escape, as the engine's escaped text writes them. */
const ESCAPES: Readonly<Record<string, string>> = {
	"\\": "\\\\",
	"'": "\\'",
	"\t": "\\t",
	"\n": "\\n",
	"\r": "\\r",
	"\0": "\\0",
};
const escaped = (text: string) => text.replace(/[\\'\t\n\r\0]/g, (character) => ESCAPES[character] ?? character);

/** A value as the engine reads it from a `param_*` field: escaped text outside of lists, literals inside of them. */
export function boundValue(value: QueryParam): string {
	if (value === null) return "\\N";
	if (typeof value === "boolean") return value ? "1" : "0";
	if (typeof value === "string") return escaped(value);
	return isList(value) ? `[${value.map(literal).join(",")}]` : number(value);
}

function literal(value: QueryParam): string {
	if (value === null) return "NULL";
	if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
	if (typeof value === "string") return `'${escaped(value)}'`;
	return isList(value) ? `[${value.map(literal).join(",")}]` : number(value);
}

const isList = (value: QueryParam): value is readonly QueryParam[] => Array.isArray(value);

function number(value: number | bigint): string {
	if (Number.isNaN(value)) return "nan";
	if (value === Number.POSITIVE_INFINITY) return "inf";
	return value === Number.NEGATIVE_INFINITY ? "-inf" : String(value);
}
