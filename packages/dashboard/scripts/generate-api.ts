// Writes `src/api/api.generated.ts` from `docs/openapi.json`: what each route takes and answers, and which role its
// writes need. With `--check` it writes nothing and fails when the file is not what it would write.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

interface Schema {
	readonly $ref?: string;
	readonly type?: string | readonly string[];
	readonly const?: unknown;
	readonly enum?: readonly unknown[];
	readonly anyOf?: readonly Schema[];
	readonly oneOf?: readonly Schema[];
	readonly allOf?: readonly Schema[];
	readonly items?: Schema;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly additionalProperties?: Schema | boolean;
	readonly patternProperties?: Readonly<Record<string, Schema>>;
}
interface Content {
	readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}
interface Operation {
	readonly parameters?: readonly {
		readonly name: string;
		readonly in: string;
		readonly required?: boolean;
		readonly schema?: Schema;
	}[];
	readonly requestBody?: Content;
	readonly responses: Readonly<Record<string, Content>>;
	readonly "x-guard"?: { readonly kind: string; readonly role?: string; readonly write?: boolean };
}
interface Description {
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const root = fileURLToPath(new URL("../../../", import.meta.url));
const description = JSON.parse(readFileSync(`${root}docs/openapi.json`, "utf8")) as Description;
const schemas = description.components.schemas;
const prefix = "/api/v1";

function typeOf(schema: Schema | undefined): string {
	if (schema === undefined) return "unknown";
	if (schema.$ref) return schema.$ref.replace("#/components/schemas/", "");
	if (schema.const !== undefined) return JSON.stringify(schema.const);
	if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
	const choices = schema.anyOf ?? schema.oneOf;
	if (choices) return [...new Set(choices.map(typeOf))].join(" | ");
	if (schema.allOf) return schema.allOf.map(typeOf).join(" & ");
	const { type } = schema;
	if (type !== undefined && typeof type !== "string")
		return type.map((one) => typeOf({ ...schema, type: one })).join(" | ");
	if (type === "array") return `readonly (${typeOf(schema.items)})[]`;
	if (type === "object" || schema.properties) return objectOf(schema);
	if (type === "integer" || type === "number") return "number";
	return type === "string" || type === "boolean" || type === "null" ? type : "unknown";
}

function objectOf(schema: Schema): string {
	const required = new Set(schema.required);
	const fields = Object.entries(schema.properties ?? {}).map(
		([name, field]) => `readonly ${JSON.stringify(name)}${required.has(name) ? "" : "?"}: ${typeOf(field)}`,
	);
	const values = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties;
	if (fields.length === 0)
		return `Readonly<Record<string, ${typeof values === "object" ? typeOf(values) : "unknown"}>>`;
	return `{ ${fields.join("; ")} }`;
}

/** What lies in the envelope, where there is one. */
function answerOf(operation: Operation): string {
	const success = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1];
	const schema = success?.content?.["application/json"]?.schema;
	if (schema === undefined) return "undefined";
	const whole = schema.$ref ? schemas[schema.$ref.replace("#/components/schemas/", "")] : schema;
	return whole?.properties?.["success"] && whole.properties["data"] ? `${typeOf(schema)}["data"]` : typeOf(schema);
}

function parametersOf(operation: Operation, place: string): string {
	const found = (operation.parameters ?? []).filter((parameter) => parameter.in === place);
	const fields = found.map(
		({ name, required, schema }) =>
			`${JSON.stringify(name)}${required ? "" : "?"}: ${typeOf(schema)}${required ? "" : " | undefined"}`,
	);
	return fields.length === 0 ? "Nothing" : `{ ${fields.join("; ")} }`;
}

const routes: string[] = [];
const roles: string[] = [];
for (const [path, operations] of Object.entries(description.paths)) {
	if (!path.startsWith(prefix)) continue;
	for (const [method, operation] of Object.entries(operations)) {
		const route = JSON.stringify(`${method.toUpperCase()} ${path.slice(prefix.length)}`);
		const body = operation.requestBody?.content?.["application/json"]?.schema;
		routes.push(
			`\t${route}: { path: ${parametersOf(operation, "path")}; query: ${parametersOf(operation, "query")}; ` +
				`body: ${body ? typeOf(body) : "undefined"}; answer: ${answerOf(operation)} };`,
		);
		const guard = operation["x-guard"];
		if (guard?.write && guard.role) roles.push(`\t${route}: ${JSON.stringify(guard.role)},`);
	}
}

const isUsed = (name: string) => routes.some((route) => new RegExp(`\\b${name}\\b`).test(route));
const named = Object.entries(schemas)
	.filter(([name]) => isUsed(name))
	.map(([name, schema]) => `type ${name} = ${typeOf(schema)};`);

const text = `// Written by scripts/generate-api.ts from docs/openapi.json. Do not edit.
type Nothing = Readonly<Record<never, never>>;

${named.join("\n")}

/** What each route takes and answers (the \`data\` of the envelope, where there is one). */
export interface Routes {
${routes.join("\n")}
}

/** The least role that a write needs. */
export const writeRoles = {
${roles.join("\n")}
} as const;
`;

const target = fileURLToPath(new URL("../src/api/api.generated.ts", import.meta.url));
if (process.argv.includes("--check")) {
	if (readFileSync(target, "utf8") !== text) {
		console.error(
			"src/api/api.generated.ts is not what docs/openapi.json says: run packages/dashboard/scripts/generate-api.ts",
		);
		process.exitCode = 1;
	}
} else {
	writeFileSync(target, text);
}
