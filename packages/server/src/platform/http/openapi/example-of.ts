import { examples, texts } from "./examples.ts";

/** The parts of a JSON Schema that the API description looks at. */
export interface JsonSchema {
	readonly $ref?: string;
	readonly "x-optional"?: boolean;
	readonly description?: string;
	/** The name of the file that a form has in place of this field. */
	readonly "x-form-file"?: string;
	readonly type?: string | readonly string[];
	readonly format?: string;
	readonly pattern?: string;
	readonly enum?: readonly unknown[];
	readonly const?: unknown;
	readonly default?: unknown;
	readonly examples?: readonly unknown[];
	readonly minimum?: number;
	readonly minItems?: number;
	readonly properties?: Readonly<Record<string, JsonSchema>>;
	readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
	readonly additionalProperties?: boolean | JsonSchema;
	readonly required?: readonly string[];
	readonly items?: JsonSchema;
	readonly anyOf?: readonly JsonSchema[];
	readonly allOf?: readonly JsonSchema[];
}

/** A schema in which `change` was made at every place, from the inside out. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
	const all = (schemas: readonly JsonSchema[]) => schemas.map((one) => mapSchema(one, change));
	const { properties, items, anyOf, allOf } = schema;
	return change({
		...schema,
		...(properties && {
			properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, mapSchema(one, change)])),
		}),
		...(items && { items: mapSchema(items, change) }),
		...(anyOf && { anyOf: all(anyOf) }),
		...(allOf && { allOf: all(allOf) }),
	});
}

const MOMENT = "2026-11-21T12:00:00.000Z";
const byFormat: Readonly<Record<string, string>> = {
	"date-time": MOMENT,
	date: "2026-11-21",
	uuid: "0b0e7a52-7d0c-4f6e-9a55-3c0d3a1f6f10",
	email: "ann@example.com",
};

/** A value that fits the schema, as one would meet it under this name; undefined where nothing can be said. */
export function exampleOf(schema: JsonSchema, name = ""): unknown {
	if (schema.examples !== undefined) return schema.examples[0];
	if (schema.const !== undefined) return schema.const;
	if (schema.default !== undefined) return schema.default;
	if (schema.anyOf !== undefined) return ofFirst(schema.anyOf, name);
	if (schema.enum !== undefined) return schema.enum[0];
	if (schema.type === "object" || schema.properties !== undefined) return ofObject(schema, name);
	if (schema.type === "array") return ofList(schema, name);
	if (schema.type === "boolean") return true;
	if (schema.format !== undefined && schema.format in byFormat) return byFormat[schema.format];
	if (schema.type === "string") return ofText(schema, name);
	const known = examples[name];
	if (schema.type === "integer" || schema.type === "number") {
		if (typeof known === "number") return known;
		return Math.max(schema.minimum ?? 0, name === "" ? 0 : 1);
	}
	return undefined;
}

function ofText({ pattern }: JsonSchema, name: string): string | undefined {
	const known = [examples[name], texts[name]].find((value) => typeof value === "string");
	if (known === undefined || pattern === undefined || new RegExp(pattern, "u").test(known)) return known;
	return known.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

/** Of what may be null, the other. */
const ofFirst = (options: readonly JsonSchema[], name: string): unknown => {
	const [first] = options.filter(({ type }) => type !== "null");
	return first === undefined ? null : exampleOf(first, name);
};

function ofObject({ properties = {}, patternProperties, additionalProperties }: JsonSchema, name: string): unknown {
	const known = examples[name];
	const rest = Object.values(patternProperties ?? {})[0] ?? additionalProperties;
	if (Object.keys(properties).length === 0 && typeof rest === "object") {
		return typeof known === "object" ? known : {};
	}
	const entries = Object.entries(properties).map(([field, schema]) => [field, exampleOf(schema, field)] as const);
	return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function ofList({ items, minItems = 1 }: JsonSchema, name: string): unknown[] {
	const known = examples[name];
	const isPlain = items?.type === "string" || items?.type === "array";
	if (Array.isArray(known) && isPlain && items.enum === undefined) return known;
	const one = items === undefined ? undefined : exampleOf(items, name);
	return one === undefined ? [] : Array.from({ length: Math.max(1, Math.min(minItems, 2)) }, () => one);
}
