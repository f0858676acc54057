import { ServiceError } from "../errors/service-error.ts";

/** The parts of a JSON Schema that coercion looks at. */
export interface SchemaLike {
	readonly type?: unknown;
	readonly properties?: Readonly<Record<string, SchemaLike>>;
	readonly items?: SchemaLike;
	readonly anyOf?: readonly SchemaLike[];
	readonly required?: readonly string[] | undefined;
	readonly default?: unknown;
	/** Control characters that a text of a body may have: `any`, or as `lines` tabs and line ends. */
	readonly "x-characters"?: unknown;
	/** True for a body that may be left out. */
	readonly "x-optional"?: unknown;
	/** As `absent`, a body may have null wherever a field may be left out. */
	readonly "x-nulls"?: unknown;
}

const flags: ReadonlyMap<string, boolean> = new Map([
	["true", true],
	["1", true],
	["false", false],
	["0", false],
]);

/** Converts texts of a query string or path to the types of the schema, and drops other fields. Unconvertible texts are kept for validation. */
export function coerceTexts(schema: SchemaLike, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
	const result: Record<string, unknown> = {};
	for (const [name, property] of Object.entries(schema.properties ?? {})) {
		if (name in values) result[name] = coerce(property, values[name]);
	}
	return result;
}

function coerce(schema: SchemaLike, value: unknown): unknown {
	if (schema.anyOf !== undefined) {
		return schema.anyOf.map((option) => coerce(option, value)).find((option) => option !== value) ?? value;
	}
	if (schema.type === "array") {
		const { items } = schema;
		const list = Array.isArray(value) ? value : [value];
		return items === undefined ? list : list.map((item) => coerce(items, item));
	}
	if (typeof value !== "string") return value;
	if (schema.type === "integer") return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
	if (schema.type === "number") return /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value;
	if (schema.type === "boolean") return flags.get(value) ?? value;
	return value;
}

/** True when a request need not have a field of this name: it is not required, or has a default. */
export const mayBeAbsent = ({ properties, required }: SchemaLike, name: string): boolean =>
	properties?.[name]?.default !== undefined || !(required ?? []).includes(name);

/** A copy of a JSON body without the nulls that stand where its schema lets a field be left out. */
export function leaveNullsOut(schema: SchemaLike, value: unknown): unknown {
	const { items, properties = {} } = schema;
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) return items === undefined ? value : value.map((item) => leaveNullsOut(items, item));
	const fields = Object.entries(value).flatMap(([name, item]) => {
		const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
		if (property === undefined) return [[name, item]];
		return item === null && mayBeAbsent(schema, name) ? [] : [[name, leaveNullsOut(property, item)]];
	});
	return Object.fromEntries(fields);
}

const MAX_DEPTH = 64;

/** A copy of a JSON body in which every text is trimmed at both ends. Throws `bad_request` when it is nested too deeply. */
export function trimTexts(value: unknown, depth = 0): unknown {
	if (typeof value === "string") return value.trim();
	if (typeof value !== "object" || value === null) return value;
	if (depth > MAX_DEPTH) throw new ServiceError("bad_request", "The body is nested too deeply");
	if (Array.isArray(value)) return value.map((item) => trimTexts(item, depth + 1));
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, trimTexts(item, depth + 1)]));
}
