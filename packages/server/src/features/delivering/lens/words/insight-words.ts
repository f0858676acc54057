import { readablePath } from "../../../../analytics/attribution/canonical-path.ts";
import type { Finding } from "../rules/finding.ts";
import type { RuleName } from "../rules/rule-names.ts";
import { insightsInEnglish } from "./insights-in-english.ts";
import { insightsInSpanish } from "./insights-in-spanish.ts";
import { type Language, numbersIn } from "./numbers.ts";
import type { InsightTexts, Told } from "./told.ts";

const texts: Readonly<Record<Language, InsightTexts>> = { en: insightsInEnglish, es: insightsInSpanish };

interface InsightWords {
	readonly title: string;
	readonly description: string;
	readonly recommendation: string;
}

/** Texts of a finding in a language, with the site's currency. */
export function wordsOf(finding: Finding, language: Language, currency: string): InsightWords {
	const numbers = numbersIn(language, currency);
	const told: Told = {
		entity:
			finding.rule === "country_shift" ? numbers.country(finding.entity ?? "") : readablePath(finding.entity ?? ""),
		other: finding.other ?? "",
		value: numbers.value(finding.value, finding.unit),
		baseline: numbers.value(finding.baseline ?? 0, finding.unit),
		change: numbers.percent(finding.change ?? 0),
		isRise: (finding.change ?? 0) > 0,
		limit: numbers.percent(finding.threshold),
	};
	const { title, description, recommendation } = texts[language][finding.rule];
	return { title: title(told), description: description(told), recommendation: recommendation(told) };
}

/** Name of the group of a rule's insights. */
export const groupTitle = (rule: RuleName, language: Language): string => texts[language][rule].group;
