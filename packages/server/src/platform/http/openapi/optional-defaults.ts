import { mayBeAbsent, type SchemaLike } from "../coerce.ts";

const requestParts = new Set(["querystring", "params", "body", "headers"]);

/** A request field with a default need not be sent, wherever in the request it stands. */
export function withOptionalDefaults<T extends object>(schema: T): T {
	const entries = Object.entries(schema).map(([part, value]: [string, SchemaLike | undefined]) => [
		part,
		requestParts.has(part) && value !== undefined ? asSent(value, value["x-nulls"] === "absent") : value,
	]);
	return Object.fromEntries(entries) as T;
}

/** A part of a request as a client may send it. */
function asSent(schema: SchemaLike, takesNulls: boolean): SchemaLike {
	const { properties, items, required } = schema;
	const field = ([name, property]: [string, SchemaLike]) => {
		const sent = asSent(property, takesNulls);
		return [name, takesNulls && mayBeAbsent(schema, name) ? { anyOf: [sent, { type: "null" }] } : sent];
	};
	return {
		...schema,
		...(required && { required: required.filter((name) => !mayBeAbsent(schema, name)) }),
		...(properties && { properties: Object.fromEntries(Object.entries(properties).map(field)) }),
		...(items && { items: asSent(items, takesNulls) }),
	};
}
