import type { Static } from "typebox";
import { patternFields, type RuleFields } from "./rule.ts";
import type { ChangeRuleBody, CreateRuleBody, TestBody } from "./schemas.ts";

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

/** A question to the rules. The tried rule of it is live, whatever it says. */
export function toQuestion({ source, medium, campaign, visits, ...body }: Static<typeof TestBody>) {
	const { include_inactive: includeInactive, rule } = body;
	const tried = rule && { ...toFields({ ...rule, is_active: true }), id: rule.id };
	return { touch: { source, medium, campaign }, includeInactive, tried, visits };
}
