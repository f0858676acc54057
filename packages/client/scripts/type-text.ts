import { resolved, type Schema } from "./description.ts";

/** A field of an object as it is written. */
interface Field {
	readonly name: string;
	readonly text: string;
	readonly isRequired: boolean;
	readonly description: string | undefined;
}

/** A shorter object is written where it is used. */
const LEAST_LINES = 5;

/** Objects by their fields: how often they are written, and the name of those that are written once for several places. */
const objects = new Map<string, { count: number; name: string | undefined; readonly place: string }>();

/** The object types that have a name, as declarations. */
export const declarations = (): readonly string[] =>
	[...objects]
		.flatMap(([text, { name }]) => (name === undefined ? [] : [`type ${name} = ${text};\n`]))
		.sort((a, b) => (a < b ? -1 : 1));

/** Names the innermost of the objects that were written several times since the last call; false when there are none. */
export function nameRepeated(): boolean {
	const taken = new Set([...objects.values()].map(({ name }) => name));
	const repeated = [...objects].filter(
		([text, { count, name }]) => count > 1 && name === undefined && text.split("\n").length > LEAST_LINES,
	);
	const bare = (text: string) => text.replaceAll("\t", "");
	for (const [text, object] of repeated) {
		if (repeated.some(([other]) => other !== text && bare(text).includes(bare(other)))) continue;
		let name = object.place;
		for (let number = 2; taken.has(name); number++) name = `${object.place}${number}`;
		taken.add(name);
		object.name = name;
	}
	for (const [text, { name }] of objects) if (name === undefined) objects.delete(text);
	return repeated.length > 0;
}

/**
 * The TypeScript type of what a schema admits, as text that begins in a line indented by `depth` tabs. `place` names an object there,
 * e.g. `GetSitesAnswer`.
 */
export function typeText(schema: Schema | undefined, depth: number, place: string): string {
	if (schema === undefined) return "unknown";
	if (schema.$ref !== undefined) return typeText(resolved(schema), depth, place);
	if (schema.const !== undefined) return JSON.stringify(schema.const);
	if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
	const choices = schema.anyOf ?? schema.oneOf;
	if (choices) return [...new Set(choices.map((one) => typeText(one, depth, place)))].join(" | ");
	if (schema.allOf) return schema.allOf.map((one) => typeText(one, depth, place)).join(" & ");
	const { type } = schema;
	if (type !== undefined && typeof type !== "string")
		return type.map((one) => typeText({ ...schema, type: one }, depth, place)).join(" | ");
	if (type === "array") return `readonly ${elementText(schema.items, depth, place)}[]`;
	if (type === "object" || schema.properties) return objectText(schema, depth, place);
	if (type === "integer" || type === "number") return "number";
	const [, prefix] = /^\^(\w+)\\\.$/.exec(schema.pattern ?? "") ?? [];
	if (type === "string" && prefix !== undefined) return `\`${prefix}.\${string}\``;
	return type === "string" || type === "boolean" || type === "null" ? type : "unknown";
}

/** A type that has several parts stands in brackets. */
function elementText(schema: Schema | undefined, depth: number, place: string): string {
	const text = typeText(schema, depth, place);
	const { anyOf, oneOf, allOf, enum: values, type } = schema === undefined ? {} : resolved(schema);
	const hasParts =
		[anyOf, oneOf, allOf, values].some((parts) => parts !== undefined) || typeof type === "object" || type === "array";
	return hasParts ? `(${text})` : text;
}

function objectText(schema: Schema, depth: number, place: string): string {
	const required = new Set(schema.required);
	const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => ({
		name,
		text: typeText(field, 1, place + pascal(name)),
		isRequired: required.has(name),
		description: field.description,
	}));
	if (fields.length > 0) return fieldsText(fields, depth, place);
	const values = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties;
	return `Readonly<Record<string, ${typeof values === "object" ? typeText(values, depth, place) : "unknown"}>>`;
}

/** An object of these fields, one a line, each below its description; its name where it has one. */
export function fieldsText(fields: readonly Field[], depth: number, place: string): string {
	const lines = fields.map(({ name, text, isRequired, description }) => {
		const comment = description === undefined ? "" : `\t${commentOf(description)}\n`;
		const key = /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name);
		return `${comment}\treadonly ${key}${isRequired ? "" : "?"}: ${text};`;
	});
	const text = `{\n${lines.join("\n")}\n}`;
	const object = objects.get(text) ?? { count: 0, name: undefined, place };
	objects.set(text, object);
	object.count++;
	return object.name ?? text.replaceAll("\n", `\n${"\t".repeat(depth)}`);
}

/** The words of a name or path as one, e.g. `SitesIdDomains` of `/sites/{id}/domains`. */
export const pascal = (text: string): string =>
	text
		.split(/[^a-z0-9]+/i)
		.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
		.join("");

/** A comment that tools show. */
export const commentOf = (text: string): string => `/** ${text.replaceAll("*/", "*\\/").replaceAll(/\s+/g, " ")} */`;
