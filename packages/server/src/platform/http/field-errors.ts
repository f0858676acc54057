import type { ErrorObject } from "ajv";
import type { FieldError } from "../errors/service-error.ts";
import type { formats } from "./formats.ts";

/** More faulty fields than this are not listed. */
const MAX_FIELDS = 20;

/** Where a checked value stands in a request, as a dotted path begins. */
export type Place = "body" | "query" | "path" | "header";

/** The faults of a value as answers tell them: one for each field, the first ones when there are many. */
export function toFieldErrors(place: string, errors: readonly ErrorObject[], value: unknown): FieldError[] {
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
	const { allowedValues, allowedValue, format } = error.params;
	const named = formatNames[String(format)];
	if (error.keyword === "format" && named !== undefined) return `must be ${named}`;
	if (error.keyword === "enum" && Array.isArray(allowedValues)) return `must be one of ${allowedValues.join(", ")}`;
	if (error.keyword === "const") return `must be ${JSON.stringify(allowedValue)}`;
	return error.message ?? "is not valid";
}

function typeOf(error: ErrorObject): string {
	const expected: unknown = error.params.type;
	return error.keyword === "type" ? `${typeof expected === "string" ? expected : "type"}_type` : error.keyword;
}
