import type { Static } from "typebox";
import { given } from "../../../platform/lib/given.ts";
import type { ChangeMappingBody, CreateMappingBody } from "./schemas.ts";

type ChangeBody = Static<typeof ChangeMappingBody>;

const copied = [
	"referrer_pattern",
	"match_type",
	"utm_source",
	"utm_medium",
	"utm_campaign",
	"utm_term",
	"utm_content",
	"label",
	"description",
	"priority",
] as const satisfies readonly (keyof ChangeBody)[];

/** The columns of a new mapping. */
export function parseMapping(body: Static<typeof CreateMappingBody>) {
	const { referrer_pattern, match_type, utm_source, utm_medium, utm_campaign, utm_term, utm_content } = body;
	const { label = null, description = null, priority, is_active } = body;
	return {
		referrer_pattern,
		match_type,
		utm_source,
		utm_medium,
		utm_campaign,
		utm_term,
		utm_content,
		label,
		description,
		priority,
		is_active: is_active ? 1 : 0,
	};
}

/** The columns to change. Bodies may hold fields that nobody knows, so the known ones are picked by name. */
export function parseChanges(body: ChangeBody) {
	return { ...given(body, copied), ...(body.is_active !== undefined && { is_active: body.is_active ? 1 : 0 }) };
}
