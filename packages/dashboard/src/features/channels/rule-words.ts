import { readPattern } from "./pattern.ts";
import { t } from "./texts.ts";
import type { Rule } from "./use-rules.ts";

/** The fields that a rule may look at. */
export const patternFields = ["source_pattern", "medium_pattern", "campaign_pattern"] as const;

/** The conditions of a rule: “Source contains acme · Medium is referral”. */
export const ruleWords = (rule: Pick<Rule, (typeof patternFields)[number]>): string =>
	patternFields
		.flatMap((field) => {
			const { how, text } = readPattern(rule[field]);
			return text === "" ? [] : [`${t.fields[field]} ${t.hows[how]} ${text}`];
		})
		.join(" · ");
