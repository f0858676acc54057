import type { Static } from "typebox";
import { patternFields, type RuleFields } from "./rule.ts";
import type { ChangeRuleBody, CreateRuleBody } from "./schemas.ts";

/** A validated body that adds a rule. */
export type NewRule = Static<typeof CreateRuleBody>;

/** A new rule, complete; an empty pattern is none. */
export function toFields(body: NewRule): RuleFields {
	const { channel_name, priority, is_active } = body;
	return {
		channel_name,
		source_pattern: body.source_pattern || null,
		medium_pattern: body.medium_pattern || null,
		campaign_pattern: body.campaign_pattern || null,
		priority,
		is_active,
	};
}

/** The fields of a change that are given; an empty pattern is none. */
export function toChanges(body: Static<typeof ChangeRuleBody>): Partial<RuleFields> {
	const { channel_name, priority, is_active } = body;
	const patterns = patternFields.flatMap((field) => {
		const pattern = body[field];
		return pattern === undefined ? [] : [[field, pattern || null]];
	});
	return {
		...(channel_name !== undefined && { channel_name }),
		...(priority !== undefined && { priority }),
		...(is_active !== undefined && { is_active }),
		...Object.fromEntries(patterns),
	};
}
