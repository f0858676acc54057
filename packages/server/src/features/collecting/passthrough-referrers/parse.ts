import type { Static } from "typebox";
import { given } from "../../../platform/lib/given.ts";
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
	return { ...given(body, copied), ...(body.is_active !== undefined && { is_active: body.is_active ? 1 : 0 }) };
}
