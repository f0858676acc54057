import { resolved, type Schema } from "./description.ts";

/** A field of an object as it is written. */
interface Field {
	readonly name: string;
	readonly text: string;
	readonly isRequired: boolean;
	readonly description: string | undefined;
}

/** The TypeScript type of what a schema admits, as text that begins in a line indented by `depth` tabs. */
export function typeText(schema: Schema | undefined, depth: number): string {
	if (schema === undefined) return "unknown";
	if (schema.$ref !== undefined) return typeText(resolved(schema), depth);
	if (schema.const !== undefined) return JSON.stringify(schema.const);
	if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
	const choices = schema.anyOf ?? schema.oneOf;
	if (choices) return [...new Set(choices.map((one) => typeText(one, depth)))].join(" | ");
	if (schema.allOf) return schema.allOf.map((one) => typeText(one, depth)).join(" & ");
	const { type } = schema;
	if (type !== undefined && typeof type !== "string")
		return type.map((one) => typeText({ ...schema, type: one }, depth)).join(" | ");
	if (type === "array") return `readonly ${elementText(schema.items, depth)}[]`;
	if (type === "object" || schema.properties) return objectText(schema, depth);
	if (type === "integer" || type === "number") return "number";
	return type === "string" || type === "boolean" || type === "null" ? type : "unknown";
}

/** A type that has several parts stands in brackets. */
function elementText(schema: Schema | undefined, depth: number): string {
	const text = typeText(schema, depth);
	const { anyOf, oneOf, allOf, enum: values, type } = schema === undefined ? {} : resolved(schema);
	const hasParts =
		[anyOf, oneOf, allOf, values].some((parts) => parts !== undefined) || typeof type === "object" || type === "array";
	return hasParts ? `(${text})` : text;
}

function objectText(schema: Schema, depth: number): string {
	const required = new Set(schema.required);
	const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => ({
		name,
		text: typeText(field, depth + 1),
		isRequired: required.has(name),
		description: field.description,
	}));
	if (fields.length > 0) return fieldsText(fields, depth);
	const values = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties;
	return `Readonly<Record<string, ${typeof values === "object" ? typeText(values, depth) : "unknown"}>>`;
}

/** An object of these fields, one a line, each below what is said about it. */
export function fieldsText(fields: readonly Field[], depth: number): string {
	const indent = "\t".repeat(depth + 1);
	const lines = fields.map(({ name, text, isRequired, description }) => {
		const comment = description === undefined ? "" : `${indent}${commentOf(description)}\n`;
		const key = /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name);
		return `${comment}${indent}readonly ${key}${isRequired ? "" : "?"}: ${text};`;
	});
	return `{\n${lines.join("\n")}\n${"\t".repeat(depth)}}`;
}

/** A comment that tools show. */
export const commentOf = (text: string): string => `/** ${text.replaceAll("*/", "*\\/").replaceAll(/\s+/g, " ")} */`;
