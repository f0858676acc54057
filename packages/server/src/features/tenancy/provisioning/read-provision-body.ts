import { ServiceError } from "../../../platform/errors/service-error.ts";
import { formats } from "../../../platform/http/formats.ts";
import { normalizeDomain, normalizeTimezone } from "../sites/index.ts";

export interface ProvisionInput {
	readonly site_name: string;
	readonly email: string;
	readonly accept_terms: true;
	readonly domain?: string;
	readonly name?: string;
	readonly install_source?: string;
	readonly timezone?: string;
}

type Fields = Readonly<Record<string, unknown>>;

const MAX_DOMAIN = 255;
const MAX_ZONE = 64;
const CONTROL = /\p{Cc}/u;

/**
 * Checks the body of `POST /provision` in the promised order, each fault with its own code.
 * Throws `bad_request` (terms), `invalid_domain`, `invalid_timezone` and `invalid_input` with the field's name.
 */
export function readProvisionBody(body: unknown): ProvisionInput {
	const fields = isFields(body) ? body : {};
	if (fields.accept_terms !== true) throw new ServiceError("bad_request", { message: "accept_terms must be true" });
	const domain = domainOf(fields.domain);
	const timezone = zoneOf(fields.timezone);
	const siteName = textOf(fields, "site_name", 255);
	if (siteName === undefined) throw invalid("site_name", "is required", "missing");
	const email = emailOf(fields);
	const name = textOf(fields, "name", 255);
	const installSource = textOf(fields, "install_source", 64);
	return {
		site_name: siteName,
		email,
		accept_terms: true,
		...(domain !== undefined && { domain }),
		...(name !== undefined && { name }),
		...(installSource !== undefined && { install_source: installSource }),
		...(timezone !== undefined && { timezone }),
	};
}

const isFields = (body: unknown): body is Fields => typeof body === "object" && body !== null && !Array.isArray(body);

const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null;

function domainOf(value: unknown): string | undefined {
	if (isAbsent(value)) return undefined;
	if (typeof value !== "string" || value.length > MAX_DOMAIN) throw new ServiceError("invalid_domain");
	return normalizeDomain(value);
}

function zoneOf(value: unknown): string | undefined {
	if (isAbsent(value)) return undefined;
	if (typeof value !== "string" || value.length > MAX_ZONE) throw new ServiceError("invalid_timezone");
	return normalizeTimezone(value.trim());
}

/** A text of 1 to `max` characters; an optional one may be absent or null. */
function textOf(fields: Fields, name: string, max: number): string | undefined {
	const value = fields[name];
	if (isAbsent(value)) return undefined;
	if (typeof value !== "string") throw invalid(name, "must be a text", "string_type");
	const text = value.trim();
	if (text === "" || text.length > max) throw invalid(name, `must have 1 to ${max} characters`, "length");
	if (CONTROL.test(text)) throw invalid(name, "must not hold control characters", "pattern");
	return text;
}

function emailOf(fields: Fields): string {
	const email = textOf(fields, "email", 254);
	if (email === undefined) throw invalid("email", "is required", "missing");
	if (!formats.email(email)) throw invalid("email", "must be an email address", "format");
	return email;
}

const invalid = (field: string, message: string, type: string) =>
	new ServiceError("invalid_input", { detail: [{ field: `body.${field}`, message, type }] });
