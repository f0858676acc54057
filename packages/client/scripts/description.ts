import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A JSON Schema, as far as the API's description uses it. */
export interface Schema {
	readonly $ref?: string;
	readonly description?: string;
	readonly type?: string | readonly string[];
	readonly const?: unknown;
	readonly pattern?: string;
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

/** What a request or an answer holds, by media type. */
export interface Content {
	readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

/** One method of one path. */
export interface Operation {
	readonly summary?: string;
	readonly description?: string;
	readonly parameters?: readonly Parameter[];
	readonly requestBody?: Content & { readonly required?: boolean };
	readonly responses: Readonly<Record<string, Content>>;
	readonly "x-guard"?: { readonly kind: string; readonly role?: string; readonly write?: boolean };
}

/** A part of an address. */
export interface Parameter {
	readonly name: string;
	readonly in: string;
	readonly description?: string;
	readonly required?: boolean;
	readonly schema?: Schema;
}

/** An operation with its name: `GET /sites/{id}`. */
export interface NamedOperation {
	readonly route: string;
	readonly operation: Operation;
}

interface Description {
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const file = fileURLToPath(new URL("../../../docs/openapi.json", import.meta.url));
const description = JSON.parse(readFileSync(file, "utf8")) as Description;
const prefix = "/api/v1";

/** The operations of `docs/openapi.json` below `/api/v1`, in its order. */
export const operations: readonly NamedOperation[] = Object.entries(description.paths)
	.filter(([path]) => path.startsWith(prefix))
	.flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => ({
			route: `${method.toUpperCase()} ${path.slice(prefix.length)}`,
			operation,
		})),
	);

/** A schema that is only named, by its name. */
export function resolved(schema: Schema): Schema {
	if (schema.$ref === undefined) return schema;
	const found = description.components.schemas[schema.$ref.replace("#/components/schemas/", "")];
	if (found === undefined) throw new Error(`${schema.$ref} is not in docs/openapi.json`);
	return found;
}
