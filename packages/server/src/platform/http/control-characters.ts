import type { FieldError } from "../errors/service-error.ts";
import type { SchemaLike } from "./coerce.ts";

const control = /\p{Cc}/u;
const controlBesidesLines = /[^\P{Cc}\t\n\r]/u;

/** The first text or name in a JSON value that has control characters; `place` is where the value stands, e.g. `body`. */
export function findControlCharacters(value: unknown, schema: SchemaLike, place: string): FieldError | undefined {
	const allowed = admitted(schema);
	if (allowed === "any") return undefined;
	if (typeof value === "string") {
		return (allowed === "lines" ? controlBesidesLines : control).test(value) ? faultAt(place) : undefined;
	}
	if (typeof value !== "object" || value === null) return undefined;
	for (const [name, item] of Object.entries(value)) {
		if (control.test(name)) return faultAt(place);
		const fault = findControlCharacters(item, schemaOf(schema, name), `${place}.${name}`);
		if (fault !== undefined) return fault;
	}
	return undefined;
}

/** Of several forms of a value, any that admits more admits it for all. */
const admitted = (schema: SchemaLike): unknown =>
	schema["x-characters"] ?? schema.anyOf?.map(admitted).find((allowed) => allowed !== undefined);

const faultAt = (field: string): FieldError => ({
	field,
	message: "must not have control characters",
	type: "control_character",
});

const anything: SchemaLike = {};

/** Schema of a property or list item: of several alternatives, the first one that has it. */
function schemaOf(schema: SchemaLike, name: string): SchemaLike {
	const own = schema.properties?.[name] ?? schema.items;
	if (own !== undefined) return own;
	const options = (schema.anyOf ?? []).map((option) => schemaOf(option, name));
	return options.find((option) => option !== anything) ?? anything;
}
