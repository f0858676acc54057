import type { Static } from "typebox";
import type { ChangeReferrerBody, CreateReferrerBody } from "./schemas.ts";

type ChangeBody = Static<typeof ChangeReferrerBody>;

const copied = [
	"domain",
	"utm_source",
	"utm_medium",
	"utm_campaign",
	"utm_term",
	"service_name",
] as const satisfies readonly (keyof ChangeBody)[];

/** The columns of a new referrer. */
export function parseReferrer(body: Static<typeof CreateReferrerBody>) {
	const { domain, utm_source, utm_medium, utm_campaign, utm_term, service_name, is_active } = body;
	return { domain, utm_source, utm_medium, utm_campaign, utm_term, service_name, is_active: is_active ? 1 : 0 };
}

/** The columns to change. Bodies may hold fields that nobody knows, so the known ones are picked by name. */
export function parseChanges(body: ChangeBody) {
	const given = copied.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]);
	const changes: Pick<ChangeBody, (typeof copied)[number]> = Object.fromEntries(given);
	return { ...changes, ...(body.is_active !== undefined && { is_active: body.is_active ? 1 : 0 }) };
}
