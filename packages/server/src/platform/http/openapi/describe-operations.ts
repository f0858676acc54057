import { exampleOf } from "./example-of.ts";
import { type JsonSchema, mapSchema } from "./json-schema.ts";

interface Content {
	schema?: JsonSchema;
	example?: unknown;
}

interface Parameter {
	readonly name: string;
	readonly in: string;
	readonly description?: string;
	schema: JsonSchema;
	example?: unknown;
}

interface Operation {
	operationId?: string;
	parameters?: readonly Parameter[];
	requestBody?: { content?: Record<string, Content> };
	responses?: Record<string, { description?: string; content?: Record<string, Content> }>;
}

type Paths = Record<string, Record<string, Operation>>;

/** Parts of a description that generated clients and readers need beyond what routes declare. */
interface Described {
	readonly paths: Paths;
	/** Bodies and answers by their names, to be added to the components. */
	readonly schemas: Readonly<Record<string, JsonSchema>>;
}

const isJson = (type: string) => type.startsWith("application/json");

/**
 * Gives every operation an id for generated clients (`GET /api/v1/sites/{id}/pixel` becomes `getSitesIdPixel`), examples, and
 * names to its body and its answers (`PostSitesRequest`, `PostSitesResponse`).
 */
export function describeOperations(declared: Paths): Described {
	const schemas: Record<string, JsonSchema> = {};
	const named = Object.entries(withoutTwins(declared)).map(([path, operations]) => [
		path,
		Object.fromEntries(
			Object.entries(operations).map(([method, operation]) => {
				// A route with two methods hands out one object for both.
				const own = structuredClone(operation);
				own.operationId = operationId(method, path);
				describeRequest(own, schemas);
				describeResponses(own, schemas);
				return [method, own];
			}),
		),
	]);
	return { paths: Object.fromEntries(named), schemas };
}

const PARAMETER = /\{([^}]+)\}/g;

/** Operations of one path whose parameters have different names stand under the first of them. */
function withoutTwins(paths: Paths): Paths {
	const found = new Map<string, { path: string; operations: Record<string, Operation> }>();
	for (const [path, operations] of Object.entries(paths)) {
		const shape = path.replace(PARAMETER, "{}");
		const twin = found.get(shape);
		if (twin === undefined) found.set(shape, { path, operations: { ...operations } });
		else
			for (const [method, one] of Object.entries(operations)) twin.operations[method] = renamed(one, path, twin.path);
	}
	return Object.fromEntries([...found.values()].map(({ path, operations }) => [path, operations]));
}

function renamed(operation: Operation, from: string, to: string): Operation {
	const namesOf = (path: string) => [...path.matchAll(PARAMETER)].map(([, name = ""]) => name);
	const others = namesOf(to);
	const names = new Map(namesOf(from).map((name, at) => [name, others[at] ?? name]));
	const { parameters = [] } = operation;
	const called = (parameter: Parameter): Parameter => {
		const name = names.get(parameter.name);
		if (parameter.in !== "path" || name === undefined || name === parameter.name) return parameter;
		return { ...parameter, name, description: `Here the \`${parameter.name}\`` };
	};
	return { ...operation, parameters: parameters.map(called) };
}

function operationId(method: string, path: string): string {
	const words = path.replace(/^\/api\/v1/, "").match(/[A-Za-z0-9]+/g) ?? [];
	return method + words.map(capitalized).join("");
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function describeRequest({ operationId: id = "", parameters = [], requestBody }: Operation, schemas: Named): void {
	for (const parameter of parameters) {
		parameter.schema = typed(parameter.schema);
		const example = exampleOf(parameter.schema, parameter.name);
		if (example !== undefined) parameter.example = example;
	}
	for (const content of Object.values(requestBody?.content ?? {})) describe(content, `${id}Request`, schemas);
}

function describeResponses({ operationId: id = "", responses = {} }: Operation, schemas: Named): void {
	for (const [status, response] of Object.entries(responses)) {
		if (response.description === "Default Response") response.description = "Success";
		if (!status.startsWith("2")) continue;
		const suffix = status === "200" || status === "201" ? "" : status;
		for (const [type, content] of Object.entries(response.content ?? {})) {
			if (isJson(type)) describe(content, `${id}Response${suffix}`, schemas);
		}
	}
}

type Named = Record<string, JsonSchema>;

function describe(content: Content, name: string, schemas: Named): void {
	const { schema } = content;
	if (schema === undefined || schema.$ref !== undefined) return;
	const key = capitalized(name);
	const full = typed(schema);
	const example = exampleOf(full);
	if (example !== undefined) content.example = example;
	schemas[key] = full;
	content.schema = { $ref: `#/components/schemas/${key}` };
}

/** An enumeration says of what type its values are, for generators that look at nothing else. */
const typed = (schema: JsonSchema): JsonSchema =>
	mapSchema(schema, (one) => {
		const values = one.enum ?? (one.const === undefined ? [] : [one.const]);
		const types = new Set(values.map((value) => (value === null ? "null" : typeof value)));
		const [type] = types;
		return one.type === undefined && types.size === 1 && type !== undefined ? { ...one, type } : one;
	});
