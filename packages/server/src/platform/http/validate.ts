import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { FastifySchemaCompiler } from "fastify";
import type { Static, TSchema } from "typebox";
import { fieldError, ServiceError } from "../errors/service-error.ts";
import { coerceTexts, leaveNullsOut, type SchemaLike, trimTexts } from "./coerce.ts";
import { findControlCharacters } from "./control-characters.ts";
import { type Place, toFieldErrors } from "./field-errors.ts";
import { formats } from "./formats.ts";

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

const noBody = "The body is missing: send a JSON object";

/**
 * Compiles a request schema: texts are trimmed, query and path values coerced by the schema, bodies never. Faults are 422, a body
 * that was not sent 400.
 */
export const compileValidator: FastifySchemaCompiler<SchemaLike> = ({ schema, httpPart }) => {
	const place = places[(httpPart ?? "body") as keyof typeof places];
	// Compiled at the first request: compiling every schema at start would cost more than all else in it.
	let check: ValidateFunction | undefined;
	return (data: unknown) => {
		check ??= ajv.compile(schema);
		try {
			const value = prepare(place, schema, data);
			if (check(value)) return { value };
			// The framework's value for a missing body.
			if (place === "body" && value === null) return { error: new ServiceError("bad_request", { message: noBody }) };
			return { error: toServiceError(place, check.errors ?? [], schema, value) };
		} catch (error) {
			return { error: error instanceof Error ? error : new Error("Validation failed") };
		}
	};
};

/** Parses a parameter that holds JSON and checks it like a body. 422 at `place`, such as `query.name`, or below it. */
export function parseJson<S extends TSchema>(schema: S, text: string, place: string): Static<S> {
	let given: unknown;
	try {
		given = JSON.parse(text);
	} catch {
		throw fieldError(place, "Must be JSON", "json");
	}
	const like: SchemaLike = schema;
	const value = printable(trimTexts(given), like, place);
	const check = ajv.compile(schema);
	if (check(value)) return value as Static<S>;
	throw toServiceError(place, check.errors ?? [], like, value);
}

function prepare(place: Place, schema: SchemaLike, data: unknown): unknown {
	if (place === "body") {
		const body = trimTexts(schema["x-optional"] === true ? (data ?? {}) : data);
		return printable(schema["x-nulls"] === "absent" ? leaveNullsOut(schema, body) : body, schema, place);
	}
	if (place === "header" || typeof data !== "object" || data === null) return data;
	return coerceTexts(schema, data as Record<string, unknown>);
}

/**
 * No text of a body has control characters, whether the schema names it or not: PostgreSQL stores no NUL, and a line end in
 * a name could forge a header. `"x-characters"` in a schema admits `lines`, or `any` where values are only compared.
 */
function printable(value: unknown, schema: SchemaLike, place: string): unknown {
	const fault = findControlCharacters(value, schema, place);
	if (fault !== undefined) throw new ServiceError("validation_error", { detail: [fault] });
	return value;
}

function toServiceError(
	place: string,
	first: readonly ErrorObject[],
	schema: SchemaLike,
	value: unknown,
): ServiceError {
	const errors = isSmall(value) ? allErrors(schema, value) : first;
	return new ServiceError("validation_error", { detail: toFieldErrors(place, errors, value) });
}

/** Looking for all faults of a long list would let a small request make millions of them. */
const isSmall = (value: unknown): boolean => (JSON.stringify(value)?.length ?? 0) < 20_000;

function allErrors(schema: SchemaLike, value: unknown): readonly ErrorObject[] {
	const check = ajvAllErrors.compile(schema);
	check(value);
	return check.errors ?? [];
}
