import { percentage } from "../../../../analytics/catalog/rates.ts";
import type { Sums } from "../rules/week-figures.ts";
import type { Language } from "../words/numbers.ts";
import { reportTexts } from "../words/report-texts.ts";
import type { ReportContent } from "./report-content.ts";

const countsOf = ({ entrances, engaged_entrances: engaged, conversions }: Sums) => [entrances, engaged, conversions];

/** Loss before each step, in percent of the step before; more conversions than visits are no gain. */
const dropsOf = (counts: readonly number[]): number[] =>
	counts.map((count, index) => {
		const before = counts[index - 1];
		return before === undefined || before === 0
			? 0
			: Math.max(0, Math.round((100 - percentage(count, before)) * 100) / 100);
	});

const difference = (one: number, other: number): number => Math.round((one - other) * 100) / 100;

const rateOf = ({ conversions, entrances }: Sums): number => Math.min(100, percentage(conversions, entrances));

/** How visits become conversions. Differences are in points. */
export function presentFunnel({ now, before }: ReportContent, language: Language) {
	const texts = reportTexts[language];
	const counts = countsOf(now);
	const [drops, earlier] = [dropsOf(counts), dropsOf(countsOf(before))];
	const hasBefore = before.entrances > 0;
	const steps = texts.steps.map((name, index) => ({
		name,
		count: counts[index] ?? 0,
		drop_off_pct: drops[index] ?? 0,
		vs_previous: hasBefore && index > 0 ? difference(drops[index] ?? 0, earlier[index] ?? 0) : null,
	}));
	// Without a single conversion nothing says that people are meant to convert.
	const leaks = steps.slice(1, now.conversions === 0 ? 2 : 3).filter((step) => step.drop_off_pct > 0);
	const leak = leaks.toSorted((one, other) => other.drop_off_pct - one.drop_off_pct)[0];
	return {
		steps,
		overall_conversion_rate: rateOf(now),
		vs_previous: hasBefore ? difference(rateOf(now), rateOf(before)) : null,
		biggest_leak: leak?.name ?? null,
		recommendation: leak === undefined ? null : texts.leakAdvice(leak.name),
	};
}
