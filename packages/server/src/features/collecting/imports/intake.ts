import { isAuthorizedHost } from "../../../analytics/attribution/domain-table.ts";
import { parsePageAddress, parseReferrer, plainHost } from "../../../analytics/attribution/page-address.ts";
import { paymentPages } from "../../../analytics/attribution/payment-pages.ts";
import type { AttributionSettings } from "../../../analytics/attribution/resolve-attribution.ts";
import { type CompiledSiteRules, compileSiteRules, type SiteRules } from "../../../analytics/attribution/site-rules.ts";
import { type LocalHour, localHour } from "../../../analytics/model/site-clock.ts";
import { type VisitEvent, visitLines } from "../../../analytics/model/visit-rows.ts";
import { canonicalIp } from "../../../platform/lib/ip-address.ts";
import { LruMap } from "../../../platform/lib/lru-map.ts";
import { describeAgent, scoreAgent } from "../visitors/index.ts";
import {
	type Arrival,
	dimensionNames,
	type ImportedHit,
	type ImportedItem,
	type ImportedSum,
	type ImportedTime,
	type SkipReason,
	type UnreadCell,
} from "./formats/format.ts";
import { remembered } from "./remembered.ts";
import { type LeftOut, ReportBuilder } from "./report.ts";
import { areMeasures, attributed, type SumSettings, sumRows } from "./sum-rows.ts";
import { type VisitSettings, Visits } from "./visits.ts";

/** Which days of a file count: decided once, before its rows are written. */
export interface DayPlan {
	/** Bounds that the user gave, `YYYY-MM-DD`; null = none. */
	readonly from: string | null;
	readonly to: string | null;
	/** The first day that the site still keeps, and its today. */
	readonly earliest: string;
	readonly today: string;
	/** Days with hits of the site's own. */
	readonly own: readonly string[];
	/** Days that another import has brought. */
	readonly imported: readonly string[];
}

/** Why a day does not count; undefined when it does. */
type DayRules = (date: string) => Extract<SkipReason, "malformed" | "out_of_range" | "overlap"> | undefined;

const REMEMBERED = 20_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Prepares the rules; a day is judged once. */
function dayRules({ from, to, earliest, today, own }: DayPlan): DayRules {
	const ownDays = new Set(own);
	return remembered(REMEMBERED, (date) => {
		if (!isDate(date)) return "malformed";
		if (date < earliest || date > today) return "out_of_range";
		if ((from !== null && date < from) || (to !== null && date > to)) return "out_of_range";
		return ownDays.has(date) ? "overlap" : undefined;
	});
}

function isDate(text: string): boolean {
	return DATE.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;
}

/** Settings of an import, the same from its first row to its last. */
export interface IntakeSettings extends SumSettings, Omit<VisitSettings, "attribution"> {
	readonly attribution: AttributionSettings;
	readonly days: DayPlan;
	/** In which the file tells days and hours. */
	readonly fileTimezone: string;
	readonly botThreshold: number;
}

/** The same as plain data, for the process that reads the file. */
export interface IntakePlan
	extends Omit<IntakeSettings, "attribution" | keyof CompiledSiteRules>,
		Pick<AttributionSettings, "domains" | "utmMappings"> {
	readonly rules: SiteRules;
	readonly paymentDomains: readonly string[];
	/** Bytes of lines that are sent to the event store at the latest; absent in an import that release 0.2.0 began. */
	readonly batchBytes?: number;
}

export function compileIntake(plan: IntakePlan): IntakeSettings {
	const { domains, utmMappings } = plan;
	const rules = compileSiteRules(plan.rules);
	const attribution = { ...rules, domains, utmMappings, paymentPages: paymentPages(plan.paymentDomains) };
	return { ...plan, ...rules, attribution };
}

type TakeLine = (line: string, date: string) => void;

/** Makes rows and the report of what a format reads. The same items give the same rows. */
export class Intake {
	readonly result = new ReportBuilder();
	readonly #settings: IntakeSettings;
	readonly #take: TakeLine | undefined;
	readonly #ruleOf: DayRules;
	readonly #visits: Visits;
	readonly #rowsOf: ReturnType<typeof sumRows>;
	readonly #judge = remembered(REMEMBERED, (userAgent) => {
		const agent = describeAgent(userAgent);
		return { agent, ...scoreAgent(agent, userAgent) };
	});
	readonly #pageOf = remembered(REMEMBERED, parsePageAddress);
	readonly #referrerOf = remembered(REMEMBERED, (text) => (text === "" ? undefined : parseReferrer(text)));
	/** The host that a page is on; one that the file does not tell is the site's own. */
	readonly #hostOf: (told: string) => { readonly host: string; readonly isOurs: boolean };
	readonly #arrivals = new LruMap<string, ImportedSum["dimensions"]>(REMEMBERED);
	/** Visitors by day, where the file tells visitors apart. */
	readonly #visitors = new Set<string>();
	/** True when a row had a day and no hour. */
	daysWithoutHours = false;
	/** True when sums told of visits, and of engaged ones. */
	hasEntrances = false;
	tellsEngagement = false;

	/** Without `take` for the report alone. */
	constructor(settings: IntakeSettings, take?: TakeLine) {
		this.#settings = settings;
		this.#take = take;
		this.#ruleOf = dayRules(settings.days);
		this.#visits = new Visits(settings);
		this.#rowsOf = sumRows(settings);
		const { domains } = settings.attribution;
		this.#hostOf = remembered(1000, (told) => {
			if (told === "") return { host: domains[0] ?? "site.invalid", isOurs: true };
			const host = plainHost(told.replace(/:\d{1,5}$/, ""));
			return { host, isOurs: isAuthorizedHost(host, domains) };
		});
	}

	take(item: ImportedItem): void {
		if (item.kind === "cell") {
			this.result.skipCell(item);
			return;
		}
		const refusal = this.#refusalOf(item);
		if (item.kind === "sum" && item.isCalculated === true) return;
		if (refusal === undefined) this.result.accept();
		else this.result.skip(refusal, item.line, () => this.#describe(refusal, item));
	}

	/** Says what is wrong with an item, without data of visitors. */
	#describe(refusal: SkipReason, item: Exclude<ImportedItem, UnreadCell>): LeftOut {
		if (item.kind === "skipped") return item;
		const { line } = item;
		if (item.kind === "hit") {
			if (refusal === "other_host") {
				const { host } = this.#hostOf(item.host ?? "");
				const told = canonicalIp(host) === undefined ? host : "an address";
				return { line, problem: `the host is ${told}, which is no domain of the site` };
			}
			if (refusal === "bot" && item.userAgent === "") return { line, problem: "the line has no user agent" };
		}
		const { date } = this.#timeOf(item.at);
		const file = item.kind === "row" && item.file !== undefined ? { file: item.file } : {};
		if (refusal === "overlap") return { line, ...file, problem: `the site has hits of its own on ${date}` };
		return { line, ...file, ...(refusal === "out_of_range" && { problem: `${date} is out of range` }) };
	}

	#refusalOf(item: Exclude<ImportedItem, UnreadCell>): SkipReason | undefined {
		switch (item.kind) {
			case "skipped":
				return item.reason;
			case "row":
				return this.#ruleOf(this.#timeOf(item.at).date);
			case "sum":
				return this.#takeSum(item);
			case "hit":
				return this.#takeHit(item);
		}
	}

	/** Why it does not count; undefined when it has been taken. */
	#takeSum(told: ImportedSum): SkipReason | undefined {
		const { result } = this;
		if (!areMeasures(told.measures)) return "malformed";
		const { date, hour } = this.#timeOf(told.at);
		const refusal = this.#ruleOf(date);
		if (refusal !== undefined) return refusal;
		const sum = this.#completed(told, date);
		if (hour === undefined) this.daysWithoutHours = true;
		else result.fill("hour");
		if ((sum.measures.entrances ?? 0) > 0) this.hasEntrances = true;
		if (sum.measures.engaged !== undefined) this.tellsEngagement = true;
		for (const [name, reported] of dimensionNames) {
			if ((sum.dimensions[name] ?? "") !== "") result.fill(reported);
		}
		const { entrances = 0, engaged = 0, page_views = 0 } = sum.measures;
		const { microconversions = 0, conversions = 0, revenue = 0 } = sum.measures;
		result.add(date, { entrances, engaged_entrances: engaged, page_views, microconversions, conversions, revenue });
		if (this.#take !== undefined) {
			for (const line of this.#rowsOf(sum, date, hour)) this.#take(line, date);
		}
		return undefined;
	}

	/** Adds to a sum its dimensions by the rules of the site, and whether its visitor is new that day. */
	#completed(sum: ImportedSum, date: string): ImportedSum {
		const { arrival, visitor } = sum;
		if (arrival === undefined && visitor === undefined) return sum;
		const key = `${date} ${visitor}`;
		const isNew = visitor !== undefined && !this.#visitors.has(key);
		if (isNew) this.#visitors.add(key);
		return {
			...sum,
			dimensions: arrival === undefined ? sum.dimensions : { ...sum.dimensions, ...this.#arrivalOf(arrival) },
			measures: isNew ? { ...sum.measures, visitors: 1 } : sum.measures,
		};
	}

	/** Days are taken as they are; hours are converted to the site's time zone. */
	#timeOf(at: ImportedTime): { readonly date: string; readonly hour: number | undefined } {
		const { timezone, fileTimezone } = this.#settings;
		if (typeof at === "number") return localHour(timezone, at);
		if (at.hour === undefined || timezone === fileTimezone) return at;
		try {
			const told = Temporal.PlainDate.from(at.date).toZonedDateTime({
				timeZone: fileTimezone,
				plainTime: { hour: at.hour },
			});
			return localHour(timezone, told.epochMilliseconds);
		} catch {
			return at;
		}
	}

	#takeHit(hit: ImportedHit): SkipReason | undefined {
		const { host, isOurs } = this.#hostOf(hit.host ?? "");
		if (!isOurs) return "other_host";
		const page = this.#pageOf(`https://${host}${hit.target}`);
		if (page === undefined) return "malformed";
		const when = localHour(this.#settings.timezone, hit.at);
		const refusal = this.#ruleOf(when.date);
		if (refusal !== undefined) return refusal;
		const judged = this.#judge(hit.userAgent);
		if (judged.score > this.#settings.botThreshold) return "bot";
		const { at, visitor, userAgent } = hit;
		const referrer = this.#referrerOf(hit.referrer);
		// Where it is an address, two spellings are one visitor.
		const one = canonicalIp(visitor) ?? visitor;
		const event = this.#visits.take({ at, when, page, referrer, visitor: one, userAgent, judged });
		this.#count(event, when);
		if (this.#take !== undefined) {
			const [line, engagedLine] = visitLines(event);
			if (line !== undefined) this.#take(line, when.date);
			if (engagedLine !== undefined) this.#take(engagedLine, event.engages?.date ?? when.date);
		}
		return undefined;
	}

	#count(event: VisitEvent, { date }: LocalHour): void {
		const { result } = this;
		result.add(date, { entrances: event.isEntrance ? 1 : 0, page_views: 1 });
		if (event.engages !== undefined) result.add(event.engages.date, { engaged_entrances: 1 });
		if (!event.isEntrance) return;
		const { dimensions } = event;
		const always = ["path", "landing_page", "utm_source", "utm_medium", "device_type", "hour"] as const;
		for (const name of always) result.fill(name);
		if (dimensions.referrer !== "") result.fill("referrer_domain");
		for (const name of ["utm_campaign", "utm_term", "utm_content"] as const)
			if (dimensions[name] !== "") result.fill(name);
		for (const name of ["browser", "os"] as const) if (dimensions[name] !== "Unknown") result.fill(name);
	}

	#arrivalOf(arrival: Arrival): ImportedSum["dimensions"] {
		const key = `${arrival.page}\n${arrival.referrer}`;
		const dimensions = this.#arrivals.get(key) ?? attributed(arrival, this.#settings.attribution);
		this.#arrivals.set(key, dimensions);
		return dimensions;
	}
}
