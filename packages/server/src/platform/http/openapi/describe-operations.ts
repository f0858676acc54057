import { exampleOf, type JsonSchema, mapSchema } from "./example-of.ts";

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

interface Reference {
	readonly $ref: string;
}

interface Answer {
	description?: string;
	headers?: Record<string, Reference>;
	content?: Record<string, Content>;
}

interface Operation {
	operationId?: string;
	parameters?: readonly Parameter[];
	requestBody?: { required?: boolean; content?: Record<string, Content> };
	responses?: Record<string, Answer | Reference>;
	"x-headers"?: readonly string[];
}

type Paths = Record<string, Record<string, Operation>>;

/** Parts of a description that generated clients and readers need beyond what routes declare. */
interface Described {
	readonly paths: Paths;
	/** Additions to the components, by name: bodies and answers, answers that many operations have, headers. */
	readonly schemas: Readonly<Record<string, JsonSchema>>;
	readonly responses: Readonly<Record<string, Answer>>;
	readonly headers: typeof headers;
}

const count = { type: "integer", minimum: 0 } as const;
const text = { type: "string" } as const;

const headers = {
	"X-Request-ID": {
		description: "Id of the request, a new UUID each time",
		schema: { type: "string", format: "uuid" },
	},
	"X-RateLimit-Limit": {
		description:
			"Requests per minute that the caller may send. The rate limit headers are absent where the operator has disabled limits",
		schema: count,
	},
	"X-RateLimit-Remaining": { description: "Requests left in this minute", schema: count },
	"X-RateLimit-Reset": { description: "End of the minute, in seconds since the Unix epoch", schema: count },
	"Retry-After": { description: "Seconds to wait before the next attempt", schema: count },
	"Set-Cookie": { description: "Session cookies, set or cleared; one header each", schema: text },
	"Content-Disposition": { description: "`attachment` with the file name", schema: text },
	Location: { description: "Redirect target", schema: { type: "string", format: "uri" } },
} as const satisfies Record<string, { readonly description: string; readonly schema: JsonSchema }>;

const ofEveryAnswer = ["X-Request-ID", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] as const;

function headersOf(status: string, ofSuccess: readonly string[]): Record<string, Reference> {
	const waits = status === "429" || status === "503" ? ["Retry-After"] : [];
	const names = [...ofEveryAnswer, ...waits, ...(status < "4" ? ofSuccess : [])];
	return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const isJson = (type: string) => type.startsWith("application/json");

/** Gives each operation an id for generated clients (`getSitesIdPixel`), examples, and names to its body and answers (`PostSitesRequest`). */
export function describeOperations(declared: Paths): Described {
	const schemas: Record<string, JsonSchema> = {};
	const responses: Record<string, Answer> = {};
	const named = Object.entries(withoutTwins(declared)).map(([path, operations]) => [
		path,
		Object.fromEntries(
			Object.entries(operations).map(([method, operation]) => {
				// A route with two methods hands out one object for both.
				const own = structuredClone(operation);
				own.operationId = operationId(method, path);
				describeRequest(own, schemas);
				describeResponses(own, schemas, responses);
				delete own["x-headers"];
				return [method, own];
			}),
		),
	]);
	return { paths: Object.fromEntries(named), schemas, responses, headers };
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
		return { ...parameter, name, description: `In this operation the \`${parameter.name}\`` };
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
	for (const [type, { schema: declared = {} }] of Object.entries({ ...requestBody?.content })) {
		const { "x-optional": isOptional, ...schema } = declared;
		if (requestBody !== undefined && isOptional === true) requestBody.required = false;
		const hasFile = Object.values(schema.properties ?? {}).some((one) => one["x-form-file"] !== undefined);
		const isForm = hasFile && type === "multipart/form-data";
		// Types of a body share what they were declared with.
		const content = { schema: mapSchema(isForm ? asForm(schema) : schema, withoutNotes) };
		describe(content, `${id}Request${isForm ? "Form" : ""}`, schemas);
		if (requestBody?.content !== undefined) requestBody.content[type] = content;
	}
}

const withoutNotes = ({ "x-form-file": _, ...schema }: JsonSchema): JsonSchema => schema;

/** A body as a form, in which some fields are files of other names. */
function asForm({ properties = {}, required = [], ...schema }: JsonSchema): JsonSchema {
	const nameOf = (field: string) => properties[field]?.["x-form-file"] ?? field;
	const fields = Object.entries(properties).map(([name, field]) => {
		const { "x-form-file": file, description } = field;
		const content = {
			type: "string",
			contentMediaType: "application/octet-stream",
			examples: ["(the file)"],
			...(description && { description }),
		};
		return [nameOf(name), file === undefined ? field : content];
	});
	return { ...schema, properties: Object.fromEntries(fields), required: required.map(nameOf) };
}

/** Codes alone, as `errorAnswers` writes them. */
const CODES = /^`\w+`(, `\w+`)*$/;

function describeResponses(
	{ operationId: id = "", responses = {}, "x-headers": ofSuccess = [] }: Operation,
	schemas: Named,
	shared: Record<string, Answer>,
): void {
	for (const [status, response] of Object.entries(responses)) {
		if ("$ref" in response) continue;
		const { description = "" } = response;
		if (description === "Default Response") response.description = status < "4" ? "Success" : "Error";
		response.headers = headersOf(status, ofSuccess);
		if (CODES.test(description)) {
			const name = (description.match(/\w+/g) ?? [])
				.map((code) => code.split("_").map(capitalized).join(""))
				.join("Or");
			shared[name] = response;
			responses[status] = { $ref: `#/components/responses/${name}` };
		}
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
