import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { FastifySchemaCompiler } from "fastify";
import type { Static, TSchema } from "typebox";
import { type FieldError, fieldError, ServiceError } from "../errors/service-error.ts";
import { coerceTexts, leaveNullsOut, type SchemaLike, trimTexts } from "./coerce.ts";
import { formats } from "./formats.ts";

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

/** Compiles a request schema: texts are trimmed, values of query and path coerced. Faults are 422, a body that was not sent 400. */
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
			if (place === "body" && value === null) return { error: new ServiceError("bad_request", noBody) };
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

function toServiceError(place: string, first: readonly ErrorObject[], schema: SchemaLike, value: unknown) {
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

/** More faulty fields than this are not listed. */
const MAX_FIELDS = 20;

/** Where a checked value stands in a request, as a dotted path begins. */
type Place = "body" | "query" | "path" | "header";

/** The faults of a value as answers tell them: one for each field, the first ones when there are many. */
function toFieldErrors(place: string, errors: readonly ErrorObject[], value: unknown): FieldError[] {
	const byField = new Map<string, FieldError>();
	for (const error of foldForms(errors)) {
		const fault = toFieldError(place, error, value);
		if (!byField.has(fault.field)) byField.set(fault.field, fault);
	}
	return [...byField.values()].slice(0, MAX_FIELDS);
}

/** A value that may have several forms is checked against each, and the faults of all of them come before its own. */
function foldForms(errors: readonly ErrorObject[]): ErrorObject[] {
	const folded: ErrorObject[] = [];
	for (const error of errors) {
		if (error.keyword !== "anyOf") {
			folded.push(error);
			continue;
		}
		const first = folded.findLastIndex((one) => !isWithin(one, error)) + 1;
		const faults = folded.splice(first);
		folded.push(...faultsOfForms(error, faults));
	}
	return folded;
}

const isWithin = (one: ErrorObject, { schemaPath, instancePath }: ErrorObject): boolean =>
	one.schemaPath.startsWith(`${schemaPath}/`) &&
	(one.instancePath === instancePath || one.instancePath.startsWith(`${instancePath}/`));

/** Errors of the intended alternative; if no alternative has the value's type, all their types. */
function faultsOfForms(union: ErrorObject, faults: readonly ErrorObject[]): readonly ErrorObject[] {
	const isOtherForm = (one: ErrorObject) => one.keyword === "type" && one.instancePath === union.instancePath;
	const meant = faults.filter((one) => !isOtherForm(one));
	if (meant.length > 0) return meant;
	const [first] = faults;
	const types = new Set(faults.map((one) => String(one.params.type)));
	return first === undefined ? [union] : [{ ...first, message: `must be ${[...types].join(" or ")}` }];
}

/** `/items/0/name` in a body becomes `body.items.0.name`. */
function toFieldError(place: string, error: ErrorObject, value: unknown): FieldError {
	const names = error.instancePath
		.split("/")
		.slice(1)
		.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
	const missing: unknown = error.params.missingProperty;
	if (error.keyword === "required" && typeof missing === "string") {
		return { field: [place, ...names, missing].join("."), message: "is required", type: "missing" };
	}
	const isRepeated = place === "query" && error.keyword === "type" && isList(value, names);
	const message = isRepeated ? "must be given once" : messageOf(error);
	return { field: [place, ...names].join("."), message, type: typeOf(error) };
}

/** True for a parameter of a query string that was repeated. */
function isList(query: unknown, [name, ...inner]: readonly string[]): boolean {
	if (typeof query !== "object" || query === null || name === undefined || inner.length > 0) return false;
	return Array.isArray((query as Readonly<Record<string, unknown>>)[name]);
}

const formatNames: Readonly<Record<string, string>> = {
	date: "a date, YYYY-MM-DD",
	"date-time": "a moment in ISO 8601, such as 2026-01-31T12:00:00Z",
	email: "an email address",
	uri: "an absolute address",
	uuid: "a UUID",
} satisfies Record<keyof typeof formats, string>;

function messageOf(error: ErrorObject): string {
	const { allowedValues, allowedValue, format, i, j } = error.params;
	const named = formatNames[String(format)];
	if (error.keyword === "format" && named !== undefined) return `must be ${named}`;
	if (error.keyword === "enum" && Array.isArray(allowedValues)) return `must be one of ${allowedValues.join(", ")}`;
	if (error.keyword === "uniqueItems")
		return `must not have an item twice; items ${Math.min(i, j)} and ${Math.max(i, j)} are the same`;
	if (error.keyword === "const") return `must be ${JSON.stringify(allowedValue)}`;
	return error.message ?? "is not valid";
}

function typeOf(error: ErrorObject): string {
	const expected: unknown = error.params.type;
	return error.keyword === "type" ? `${typeof expected === "string" ? expected : "type"}_type` : error.keyword;
}
