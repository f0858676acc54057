import { countryName } from "../../../analytics/attribution/country-of-zone.ts";
import { percentChange } from "../../../analytics/catalog/rates.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { dayRange } from "../../../platform/lib/timestamp.ts";
import type { Mail } from "../../../platform/outbound/mail/mailer.ts";
import { pathWithoutLinks, withoutLinks } from "../../../platform/outbound/mail/plain-text.ts";
import type { ListName, ReportDays, ReportFigures, ShownFigure } from "./figures.ts";
import type { Frequency } from "./store.ts";

const labels: Readonly<Record<Exclude<ShownFigure, "entrances">, string>> = {
	page_views: "Page views",
	bounce_rate: "Bounce rate",
	conversions: "Conversions",
	conversion_rate: "Conversion rate",
	revenue: "Revenue",
};
const rateFigures: ReadonlySet<ShownFigure> = new Set(["bounce_rate", "conversion_rate"]);

const headings: Readonly<Record<ListName, readonly [list: string, figure: string]>> = {
	pages: ["Top pages", "Page views"],
	sources: ["Top sources", "Visits"],
	countries: ["Top countries", "Visits"],
};

interface ReportSite {
	readonly name: string;
	readonly currency: string;
}

export function composeReport(
	site: ReportSite,
	{ frequency, days }: { readonly frequency: Frequency; readonly days: ReportDays },
	figures: ReportFigures,
): Pick<Mail, "subject" | "body"> {
	const { now, before, baselineStart, lists } = figures;
	const row = (name: string, figure: ShownFigure, value: number, earlier: number) => [
		name,
		shownValue(figure, value, site),
		...(baselineStart === undefined ? [changeOf(figure, value, earlier, site)] : []),
	];
	const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
		rows.length === 0 ? [] : [{ heads: baselineStart === undefined ? [...heads, "Change"] : heads, rows }];
	const shownRows = (Object.keys(labels) as (keyof typeof labels)[])
		// Figures that are zero in both periods are omitted.
		.filter((figure) => now[figure] !== 0 || before[figure] !== 0)
		.map((figure) => row(labels[figure], figure, now[figure], before[figure]));
	const name = withoutLinks(site.name);
	return {
		subject: `${shortened(name)}: ${subjectFigure(figures)}, ${namesOf(days.range)}`,
		body: [
			{ lead: leadOf(figures, frequency) },
			`${name}, ${namesOf(days.range)}${baselineStart === undefined ? `, compared with ${namesOf(days.before)}` : ""}.`,
			...table(["Other figures", "Value"], shownRows),
			...(Object.keys(headings) as ListName[]).flatMap((list) =>
				table(
					headings[list],
					lists[list].map((line) => row(shownName(list, line.names), "page_views", line.value, line.before)),
				),
			),
		],
	};
}

const LONGEST_NAME = 40;

const shortened = (name: string): string =>
	[...name].length > LONGEST_NAME
		? `${[...name]
				.slice(0, LONGEST_NAME - 1)
				.join("")
				.trimEnd()}…`
		: name;

const visits = (count: number): string => {
	if (count === 0) return "no visits";
	return count === 1 ? "1 visit" : `${whole.format(count)} visits`;
};

function subjectFigure({ now, before, baselineStart }: ReportFigures): string {
	const change = percentChange(now.entrances, before.entrances);
	if (baselineStart !== undefined || change === null || now.entrances === 0 || Math.round(change) === 0)
		return visits(now.entrances);
	return `${visits(now.entrances)}, ${signedPercent(change)}`;
}

/** The sentence for those who read no further. */
function leadOf({ now, before, baselineStart, cause }: ReportFigures, frequency: Frequency): string {
	const than = frequency === "weekly" ? "the week before" : "the month before";
	const [count, earlier] = [now.entrances, before.entrances];
	const told = visits(count).replace(/^n/, "N");
	if (baselineStart !== undefined)
		return `${told}. No comparison yet: data since ${dayRange(baselineStart, baselineStart)}.`;
	const change = percentChange(count, earlier);
	if (change === null) return `${told}, ${count === 0 ? "as in" : "none in"} ${than}.`;
	if (count === 0) return `${told}, ${visits(earlier).replace(/ visits?/, "")} ${than}.`;
	if (Math.round(change) === 0) return `${told}, ${change === 0 ? "" : "about "}as many as ${than}.`;
	const [word, kind] = change > 0 ? ["more", "growth"] : ["fewer", "decline"];
	const main = cause && `, most of the ${kind} from ${shownName("sources", cause)}`;
	return `${told}, ${whole.format(Math.abs(change))} % ${word} than ${than}${main ?? ""}.`;
}

/** Anybody can send a visit with a source and a path of their choice. */
function shownName(list: ListName, [name = "", medium = ""]: readonly string[]): string {
	if (list === "pages") return pathWithoutLinks(name);
	if (list === "countries") return name === "" ? "(none)" : withoutLinks(countryName(name));
	if (name === "(direct)") return "Direct";
	const known = [name, medium].filter((part) => part !== "" && part !== "(none)");
	return known.length === 0 ? "(none)" : withoutLinks(known.join(" / "));
}

const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const decimal = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 2 });
const money = new Intl.NumberFormat("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const signedWhole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0, signDisplay: "exceptZero" });

const signedPercent = (change: number): string => `${signedWhole.format(change)} %`;

function shownValue(figure: ShownFigure, value: number, { currency }: ReportSite): string {
	if (figure === "revenue") return `${money.format(value)} ${currency}`;
	return rateFigures.has(figure) ? `${decimal.format(value)} %` : whole.format(value);
}

/** Rates change by points, the others in percent; what there was none of is new, and a change from less than nothing a difference. */
function changeOf(figure: ShownFigure, value: number, before: number, site: ReportSite): string {
	const sign = (change: number) => (change > 0 ? "+" : "");
	if (rateFigures.has(figure)) {
		const points = Math.round((value - before) * 100) / 100;
		return `${sign(points)}${decimal.format(points)} pts`;
	}
	const change = percentChange(value, before);
	if (change !== null) return signedPercent(change);
	if (before === 0 && value > 0) return "new";
	return `${sign(value - before)}${shownValue(figure, value - before, site)}`;
}

const namesOf = ({ start, end }: DateRange): string => dayRange(start.toString(), end.toString());
