import {
	type NamedOperation,
	type Operation,
	operations,
	type Parameter,
	resolved,
	type Schema,
} from "./description.ts";
import { commentOf, declarations, fieldsText, nameRepeated, pascal, typeText } from "./type-text.ts";

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

function answerText({ route, operation }: NamedOperation): string {
	const schema = answerSchemaOf(operation);
	const isFile = Object.keys(contentOf(operation)).some((type) => !type.includes("json"));
	if (schema !== undefined) {
		const text = typeText(schema, 2, placeOf(route, "Answer"));
		return isFile ? `${text} | Response` : text;
	}
	return Object.keys(contentOf(operation)).length > 0 ? "Response" : "undefined";
}

/** Forms are given as the browser's own objects. */
function bodyText({ route, operation: { requestBody } }: NamedOperation): string {
	const content = requestBody?.content ?? {};
	const isOptional = requestBody?.required === false;
	const types = [
		...(content[json] === undefined ? [] : [typeText(content[json].schema, 2, placeOf(route, "Body"))]),
		...("multipart/form-data" in content ? ["FormData"] : []),
		...("application/x-www-form-urlencoded" in content ? ["URLSearchParams"] : []),
		...(requestBody === undefined || isOptional ? ["undefined"] : []),
	];
	return types.join(" | ");
}

/** The routes of each parameter, by its text: those with the same routes always occur together. */
const routesOf = new Map<string, string>();
for (const { route, operation } of operations) {
	for (const parameter of operation.parameters ?? []) {
		const key = JSON.stringify(parameter);
		routesOf.set(key, `${routesOf.get(key) ?? ""} ${route}`);
	}
}

/** The parameters as an object, or as several where some of them occur in other operations too. */
function parametersText({ route, operation }: NamedOperation, place: "path" | "query"): string {
	const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === place);
	const groups = Object.values(Object.groupBy(parameters, (parameter) => groupOf(parameter, parameters)));
	const types = groups.map((group = []) =>
		fieldsText(
			group.map((one) => fieldOf(route, one)),
			2,
			placeOf(route, pascal(place)),
		),
	);
	return types.length === 0 ? "Nothing" : types.join(" & ");
}

/** Parameters that are fewer than four together stay with those of their operation alone. */
function groupOf(parameter: Parameter, all: readonly Parameter[]): string {
	const operations = routesOf.get(JSON.stringify(parameter)) ?? "";
	return all.filter((other) => routesOf.get(JSON.stringify(other)) === operations).length < 4 ? "" : operations;
}

const fieldOf = (route: string, { name, required = false, schema, description }: Parameter) => ({
	name,
	text: typeText(schema, 1, placeOf(route, pascal(name))) + (required ? "" : " | undefined"),
	isRequired: required,
	description,
});

/** The name of an object of a route, where several use it. */
const placeOf = (route: string, part: string) => {
	const [method = "", path = ""] = route.split(" ");
	return pascal(method.toLowerCase()) + pascal(path) + part;
};

function routeText(named: NamedOperation): string {
	const { route, operation } = named;
	const told = [operation.summary, operation.description].filter((text) => text !== undefined).join(". ");
	return [
		`\t${commentOf(told)}`,
		`\t${JSON.stringify(route)}: {`,
		`\t\tpath: ${parametersText(named, "path")};`,
		`\t\tquery: ${parametersText(named, "query")};`,
		`\t\tbody: ${bodyText(named)};`,
		`\t\tanswer: ${answerText(named)};`,
		"\t};",
	].join("\n");
}

/** The parameter of a list's pages; undefined for a route without pages. */
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
export function routesText(): string {
	const write = () => sorted.map(routeText).join("\n");
	let routes = write();
	// Objects within others are named first; those around them are compared with these names.
	while (nameRepeated()) routes = write();
	return `// Written from docs/openapi.json by packages/dashboard/scripts/generate-api.ts. Do not edit.
type Nothing = Readonly<Record<never, never>>;

${declarations().join("\n")}
/**
 * What each operation takes and answers: the \`data\` of the envelope where there is one, and the \`Response\` itself where
 * the answer is no JSON.
 */
export interface Routes {
${routes}
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
}
