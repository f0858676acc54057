import type { Static } from "typebox";
import { given } from "../../../platform/lib/given.ts";
import { normalizeEmail } from "../../people/users/index.ts";
import type { RuleInput } from "./rule.ts";
import { customFields, fieldNames, unsaid } from "./rule-fields.ts";
import type { ChangeRuleBody, CreateRuleBody } from "./schemas.ts";

/** Rule fields of a body. Bodies may have unknown fields, so the known ones are picked by name. */
export function parseChanges(body: Static<typeof ChangeRuleBody>): Partial<RuleInput> {
	const { email_recipients: emails, custom_condition: custom } = body;
	return {
		...given(body, [...fieldNames, "slack_webhook_url", "custom_webhook_url"]),
		...(emails && { email_recipients: [...new Set(emails.map(normalizeEmail))] }),
		...(custom && { custom_condition: given(custom, customFields) }),
	};
}

/** A new rule, which is looked at whatever the body says. */
export const parseRule = (body: Static<typeof CreateRuleBody>): RuleInput => ({
	...unsaid,
	// Refused hits are known for no longer. A window of the same length is refused by itself.
	...(body.alert_type === "error_rate" && body.comparison_window !== "24h" && { baseline_period: "24h" as const }),
	slack_webhook_url: null,
	custom_webhook_url: null,
	...parseChanges(body),
	is_active: unsaid.is_active,
});
