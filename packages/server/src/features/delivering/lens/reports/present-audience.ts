import { percentage } from "../../../../analytics/catalog/rates.ts";
import { areApart, wilson } from "../rules/intervals.ts";
import type { Language } from "../words/numbers.ts";
import { numbersIn } from "../words/numbers.ts";
import { reportTexts } from "../words/report-texts.ts";
import { audienceNames, type ReportContent, type ReportPart } from "./report-content.ts";

/** Values that a list shows. */
const MOST = 10;
/** Points by which a share has to change to be told of. */
const LEAST_POINTS = 5;

const difference = (one: number, other: number): number => Math.round((one - other) * 100) / 100;

/** Audience by share of visits; changes in points. */
export function presentAudience(content: ReportContent, language: Language) {
	const [now, before] = [content.now.entrances, content.before.entrances];
	const shares = (part: ReportPart) => ({
		share: percentage(part.now.entrances, now),
		earlier: percentage(part.before.entrances, before),
	});
	const list = (parts: readonly ReportPart[]) =>
		parts
			.filter((part) => part.now.entrances > 0)
			.slice(0, MOST)
			.map((part) => {
				const { share, earlier } = shares(part);
				return { value: part.value, share, change: before > 0 ? difference(share, earlier) : null };
			});
	const texts = reportTexts[language];
	const numbers = numbersIn(language, "");
	const hasShifted = (part: ReportPart) => {
		if (now === 0 || before === 0) return false;
		const { share, earlier } = shares(part);
		const isSure = areApart(wilson(part.now.entrances, now), wilson(part.before.entrances, before));
		return isSure && Math.abs(share - earlier) >= LEAST_POINTS;
	};
	const shifts = audienceNames.flatMap((dimension) =>
		content.audience[dimension].filter(hasShifted).map((part) => {
			const { share, earlier } = shares(part);
			const name = dimension === "country" ? numbers.country(part.value) : part.value;
			return {
				dimension,
				description: texts.shift(name, numbers.value(share, "percent"), numbers.value(earlier, "percent")),
				impact: share > earlier ? texts.shiftMore : texts.shiftLess,
			};
		}),
	);
	const { device_type, country, browser } = content.audience;
	return { devices: list(device_type), countries: list(country), browsers: list(browser), shifts };
}
