import { type JsonSchema, mapSchema } from "./json-schema.ts";

const requestParts = new Set(["querystring", "params", "body", "headers"]);

/** A request field with a default need not be sent, wherever in the request it stands. */
export function withOptionalDefaults<T extends object>(schema: T): T {
	const entries = Object.entries(schema).map(([part, value]: [string, JsonSchema | undefined]) => [
		part,
		requestParts.has(part) && value !== undefined ? mapSchema(value, withoutDefaults) : value,
	]);
	return Object.fromEntries(entries) as T;
}

const withoutDefaults = (schema: JsonSchema): JsonSchema =>
	schema.required === undefined
		? schema
		: { ...schema, required: schema.required.filter((name) => schema.properties?.[name]?.default === undefined) };
