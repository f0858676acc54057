import { countryName } from "../../../analytics/attribution/country-of-zone.ts";
import { percentChange } from "../../../analytics/catalog/rates.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { dayRange } from "../../../platform/lib/timestamp.ts";
import type { Mail } from "../../../platform/outbound/mail/mailer.ts";
import { pathWithoutLinks, withoutLinks } from "../../../platform/outbound/mail/plain-text.ts";
import type { ListName, ReportFigures, ShownFigure } from "./figures.ts";
import { shownFigures } from "./figures.ts";
import type { ReportDays } from "./period.ts";
import type { Frequency } from "./store.ts";

const labels: Readonly<Record<ShownFigure, string>> = {
	entrances: "Visits",
	page_views: "Page views",
	bounce_rate: "Bounce rate",
	conversions: "Conversions",
	conversion_rate: "Conversion rate",
	revenue: "Revenue",
};
const rateFigures: ReadonlySet<ShownFigure> = new Set(["bounce_rate", "conversion_rate"]);

const headings: Readonly<Record<ListName, string>> = {
	pages: "Top pages",
	sources: "Top sources",
	countries: "Countries",
};

interface ReportSite {
	readonly name: string;
	readonly currency: string;
}

/** A report as a mail, without its receiver. */
export function composeReport(
	site: ReportSite,
	{ frequency, days }: { readonly frequency: Frequency; readonly days: ReportDays },
	{ now, before, lists }: ReportFigures,
): Pick<Mail, "subject" | "body"> {
	const figures = shownFigures
		// Figures that are zero in both periods are omitted.
		.filter((figure) => now[figure] !== 0 || before[figure] !== 0)
		.map((figure) => [
			labels[figure],
			shownValue(figure, now[figure], site),
			changeOf(figure, now[figure], before[figure], site),
		]);
	const name = withoutLinks(site.name);
	const found = (Object.keys(headings) as ListName[]).filter((list) => lists[list].length > 0);
	return {
		subject: `${name}: ${frequency} report, ${namesOf(days.range)}`,
		body: [
			`${name}, ${namesOf(days.range)}, compared with ${namesOf(days.before)}.`,
			{ rows: figures },
			...found.flatMap((list) => [
				headings[list],
				{ rows: lists[list].map((line) => [shownName(list, line.name), whole.format(line.value)]) },
			]),
		],
	};
}

/** Anybody can send a visit with a source and a path of their choice. */
const shownName = (list: ListName, name: string): string => {
	if (name === "") return "(none)";
	if (list === "pages") return pathWithoutLinks(name);
	return withoutLinks(list === "countries" ? countryName(name) : name);
};

const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const decimal = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 2 });
const money = new Intl.NumberFormat("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

function shownValue(figure: ShownFigure, value: number, { currency }: ReportSite): string {
	if (figure === "revenue") return `${money.format(value)} ${currency}`;
	return rateFigures.has(figure) ? `${decimal.format(value)} %` : whole.format(value);
}

/** Rates change by points, the others in percent; what there was none of is new, and a change from less than nothing a difference. */
function changeOf(figure: ShownFigure, value: number, before: number, site: ReportSite): string {
	const sign = (change: number) => (change > 0 ? "+" : "");
	if (rateFigures.has(figure)) {
		const points = Math.round((value - before) * 100) / 100;
		return `${sign(points)}${decimal.format(points)} points`;
	}
	const change = percentChange(value, before);
	if (change === null) {
		if (before === 0 && value > 0) return "new";
		return `${sign(value - before)}${shownValue(figure, value - before, site)}`;
	}
	const percent = Math.round(change * 10) / 10;
	return `${sign(percent)}${decimal.format(percent)} %`;
}

const namesOf = ({ start, end }: DateRange): string => dayRange(start.toString(), end.toString());
