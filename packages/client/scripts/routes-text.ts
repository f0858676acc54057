import { type NamedOperation, type Operation, operations, resolved, type Schema } from "./description.ts";
import { commentOf, fieldsText, typeText } from "./type-text.ts";

const json = "application/json";

/** What an operation answers when it succeeds, by media type. */
function contentOf(operation: Operation) {
	const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith("2")) ?? [];
	return success?.content ?? {};
}

/** What is in the envelope, where there is one. */
function answerSchemaOf(operation: Operation): Schema | undefined {
	const schema = contentOf(operation)[json]?.schema;
	if (schema === undefined) return undefined;
	const whole = resolved(schema);
	return whole.properties?.["success"] && whole.properties["data"] ? whole.properties["data"] : whole;
}

function answerText(operation: Operation): string {
	const schema = answerSchemaOf(operation);
	const isFile = Object.keys(contentOf(operation)).some((type) => !type.includes("json"));
	if (schema !== undefined) return isFile ? `${typeText(schema, 2)} | Response` : typeText(schema, 2);
	return Object.keys(contentOf(operation)).length > 0 ? "Response" : "undefined";
}

/** Forms are given as the browser's own objects. */
function bodyText({ requestBody }: Operation): string {
	const content = requestBody?.content ?? {};
	const isOptional = requestBody?.required === false;
	const types = [
		...(content[json] === undefined ? [] : [typeText(content[json].schema, 2)]),
		...("multipart/form-data" in content ? ["FormData"] : []),
		...("application/x-www-form-urlencoded" in content ? ["URLSearchParams"] : []),
		...(requestBody === undefined || isOptional ? ["undefined"] : []),
	];
	return types.join(" | ");
}

function parametersText(operation: Operation, place: string): string {
	const fields = (operation.parameters ?? [])
		.filter((parameter) => parameter.in === place)
		.map(({ name, required = false, schema, description }) => ({
			name,
			text: typeText(schema, 3) + (required ? "" : " | undefined"),
			isRequired: required,
			description,
		}));
	return fields.length === 0 ? "Nothing" : fieldsText(fields, 2);
}

function routeText({ route, operation }: NamedOperation): string {
	const told = [operation.summary, operation.description].filter((text) => text !== undefined).join(". ");
	return [
		`\t${commentOf(told)}`,
		`\t${JSON.stringify(route)}: {`,
		`\t\tpath: ${parametersText(operation, "path")};`,
		`\t\tquery: ${parametersText(operation, "query")};`,
		`\t\tbody: ${bodyText(operation)};`,
		`\t\tanswer: ${answerText(operation)};`,
		"\t};",
	].join("\n");
}

/** By which parameter the pages of a list are told apart; undefined for what is no list in pages. */
function pagingOf(operation: Operation): "page" | "offset" | undefined {
	const names = new Set((operation.parameters ?? []).map(({ name }) => name));
	const fields = answerSchemaOf(operation)?.properties ?? {};
	if (fields["total"] === undefined) return undefined;
	return names.has("page") ? "page" : names.has("offset") ? "offset" : undefined;
}

const keyOf = (route: string) => route.split(" ").reverse().join(" ");
/** Sorted, so that a new route changes the file in one place. */
const sorted = operations.toSorted((a, b) => (keyOf(a.route) < keyOf(b.route) ? -1 : 1));

/** The generated file of the client. */
export const routesText =
	(): string => `// Written from docs/openapi.json by packages/dashboard/scripts/generate-api.ts. Do not edit.
type Nothing = Readonly<Record<never, never>>;

/**
 * What each operation takes and answers: the \`data\` of the envelope where there is one, and the \`Response\` itself where
 * the answer is no JSON.
 */
export interface Routes {
${sorted.map(routeText).join("\n")}
}

/** Lists that come in pages, and the parameter that tells the pages apart. */
export const pagedBy = {
${sorted
	.flatMap(({ route, operation }) => {
		const paging = pagingOf(operation);
		return paging === undefined ? [] : [`\t${JSON.stringify(route)}: "${paging}",`];
	})
	.join("\n")}
} as const;
`;
