import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { FastifySchemaCompiler } from "fastify";
import { ApiError, type FieldError } from "./api-error.ts";
import { coerceTexts, type SchemaLike, trimTexts } from "./coerce.ts";
import { findControlCharacters } from "./control-characters.ts";
import { formats } from "./formats.ts";

/** More faulty fields than this are not listed. */
const MAX_FIELDS = 20;

const options = {
	useDefaults: true,
	coerceTypes: false,
	removeAdditional: false,
	strictSchema: false,
	formats,
} as const;
const ajv = new Ajv(options);
const ajvAllErrors = new Ajv({ ...options, allErrors: true });

const places = { body: "body", querystring: "query", query: "query", params: "path", headers: "header" } as const;
type Place = (typeof places)[keyof typeof places];

/** Compiles a request schema: texts are trimmed, query and path values coerced by the schema, bodies never. Faults are 422. */
export const compileValidator: FastifySchemaCompiler<SchemaLike> = ({ schema, httpPart }) => {
	const place = places[(httpPart ?? "body") as keyof typeof places];
	// Compiled at the first request: compiling every schema at start would cost more than all else in it.
	let check: ValidateFunction | undefined;
	return (data: unknown) => {
		check ??= ajv.compile(schema);
		try {
			const value = prepare(place, schema, data);
			return check(value) ? { value } : { error: toApiError(place, check.errors ?? [], schema, value) };
		} catch (error) {
			return { error: error instanceof Error ? error : new Error("Validation failed") };
		}
	};
};

function prepare(place: Place, schema: SchemaLike, data: unknown): unknown {
	if (place === "body") return printable(trimTexts(data), schema);
	if (place === "header" || typeof data !== "object" || data === null) return data;
	return coerceTexts(schema, data as Record<string, unknown>);
}

/**
 * No text of a body has control characters, whether the schema names it or not: PostgreSQL stores no NUL, and a line end in
 * a name could forge a header. `"x-characters"` in a schema admits `lines`, or `any` where values are only compared.
 */
function printable(value: unknown, schema: SchemaLike): unknown {
	const fault = findControlCharacters(value, schema, "body");
	if (fault !== undefined) throw new ApiError("validation_error", { detail: [fault] });
	return value;
}

function toApiError(place: Place, first: readonly ErrorObject[], schema: SchemaLike, value: unknown): ApiError {
	const detail = uniqueFields(
		(isSmall(value) ? allErrors(schema, value) : first).map((error) => toFieldError(place, error)),
	);
	return new ApiError("validation_error", { detail });
}

/** Looking for all faults of a long list would let a small request make millions of them. */
const isSmall = (value: unknown): boolean => (JSON.stringify(value)?.length ?? 0) < 20_000;

function allErrors(schema: SchemaLike, value: unknown): readonly ErrorObject[] {
	const check = ajvAllErrors.compile(schema);
	check(value);
	return check.errors ?? [];
}

function uniqueFields(errors: readonly FieldError[]): FieldError[] {
	const byField = new Map<string, FieldError>();
	for (const error of errors) if (!byField.has(error.field)) byField.set(error.field, error);
	return [...byField.values()].slice(0, MAX_FIELDS);
}

/** `/items/0/name` in a body becomes `body.items.0.name`. */
function toFieldError(place: Place, error: ErrorObject): FieldError {
	const names = error.instancePath
		.split("/")
		.slice(1)
		.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
	const missing: unknown = error.params.missingProperty;
	if (error.keyword === "required" && typeof missing === "string") {
		return { field: [place, ...names, missing].join("."), message: "is required", type: "missing" };
	}
	return { field: [place, ...names].join("."), message: messageOf(error), type: typeOf(error) };
}

function messageOf(error: ErrorObject): string {
	const allowed: unknown = error.params.allowedValues;
	if (error.keyword === "enum" && Array.isArray(allowed)) return `must be one of ${allowed.join(", ")}`;
	return error.message ?? "is not valid";
}

const typeOf = (error: ErrorObject): string => {
	const expected: unknown = error.params.type;
	return error.keyword === "type" ? `${typeof expected === "string" ? expected : "type"}_type` : error.keyword;
};
