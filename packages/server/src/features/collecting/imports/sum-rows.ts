import { findBuiltInReferrer } from "../../../analytics/attribution/built-in-referrers.ts";
import { storedPath } from "../../../analytics/attribution/canonical-path.ts";
import { type ChannelRules, classifyChannel } from "../../../analytics/attribution/channel-rules.ts";
import { cleanLabel, storedLabel } from "../../../analytics/attribution/clean-text.ts";
import { parsePageAddress, parseReferrer, plainHost } from "../../../analytics/attribution/page-address.ts";
import type { ReferrerMappings } from "../../../analytics/attribution/referrer-mappings.ts";
import { type AttributionSettings, resolveAttribution } from "../../../analytics/attribution/resolve-attribution.ts";
import { UNKNOWN_HOUR } from "../../../analytics/model/event-columns.ts";
import type { SessionDimensions } from "../../../analytics/model/event-row.ts";
import { encodeInSession, type OwnColumns } from "../../../analytics/model/event-tsv.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import type { Arrival, ImportDimension, ImportedSum, ImportMeasure } from "./formats/format.ts";
import { deviceName } from "./formats/known-names.ts";
import { remembered } from "./remembered.ts";

export interface SumSettings {
	readonly siteId: string;
	readonly importId: string;
	readonly timezone: string;
	readonly channelRules: ChannelRules | undefined;
	readonly referrerMappings: ReferrerMappings;
}

const lengths: Readonly<Record<Exclude<ImportDimension, "country" | "device" | "path" | "landing_path">, number>> = {
	content_group: 64,
	referrer: 255,
	landing_group: 64,
	utm_source: 255,
	utm_medium: 255,
	utm_campaign: 255,
	utm_term: 255,
	utm_content: 255,
	browser: 100,
	os: 100,
	event_type: 100,
};
type TextOf = (name: keyof typeof lengths | "path" | "landing_path") => string;
const COUNTRY = /^[A-Za-z]{2}$/;
const UNKNOWN = "Unknown";
/** Of a column that counts. */
const MOST = 2 ** 32 - 1;
/** Money has 14 digits before its point. */
const MOST_REVENUE = 1e14;
const DAYS_REMEMBERED = 4000;

/** True when every measure is a number that its column holds. */
export function areMeasures(measures: ImportedSum["measures"]): boolean {
	for (const name in measures) {
		const value = measures[name as ImportMeasure] ?? 0;
		const isFine =
			name === "revenue"
				? Number.isFinite(value) && Math.abs(value) < MOST_REVENUE
				: Number.isInteger(value) && value >= 0 && value <= MOST;
		if (!isFine) return false;
	}
	return true;
}

export function sumRows(settings: SumSettings): (sum: ImportedSum, date: string, hour: number | undefined) => string[] {
	const midnight = remembered(
		DAYS_REMEMBERED,
		(date) => Temporal.PlainDate.from(date).toZonedDateTime(settings.timezone).epochMilliseconds,
	);
	return (sum, date, hour) => {
		const text: TextOf = (name) => {
			const value = sum.dimensions[name] ?? "";
			return name === "path" || name === "landing_path"
				? storedPath(cleanLabel(value).trim())
				: storedLabel(value, lengths[name]);
		};
		const session = sessionOf(settings, sum, text);
		const row: OwnColumns = {
			...plainRow,
			site: settings.siteId,
			import_id: settings.importId,
			date,
			hour: hour ?? UNKNOWN_HOUR,
			ts: midnight(date) + (hour ?? 0) * HOUR_MS,
			path: text("path"),
			content_group: text("content_group"),
		};
		return parts(sum.measures, row, text("event_type")).map((part) => encodeInSession(part, session));
	};
}

/** Traffic, conversions and microconversions are rows of their own, as reports on events look at their kind. */
function parts(measures: ImportedSum["measures"], row: OwnColumns, eventType: string): OwnColumns[] {
	const { entrances = 0, engaged = 0, page_views = 0, visit_seconds = 0, visitors = 0 } = measures;
	const { conversions = 0, microconversions = 0, revenue = 0 } = measures;
	const rows: OwnColumns[] = [];
	if (entrances + engaged + page_views + visit_seconds + visitors > 0) {
		rows.push({ ...row, entrance: entrances, engaged, page_view: page_views, visit_seconds, visitor: visitors });
	}
	if (conversions > 0 || revenue !== 0) {
		const counts = { amount: revenue, revenue, conversion: conversions };
		rows.push({ ...row, kind: "conversion", event_type: eventType, ...counts });
	}
	if (microconversions > 0) {
		rows.push({ ...row, kind: "microconversion", event_type: eventType, microconversion: microconversions });
	}
	return rows;
}

function sessionOf(
	{ channelRules, referrerMappings }: SumSettings,
	{ dimensions }: ImportedSum,
	text: TextOf,
): SessionDimensions {
	const referrer = hostOf(text("referrer"));
	let utm_source = text("utm_source");
	let utm_medium = text("utm_medium");
	if (utm_source === "" && utm_medium === "" && referrer !== "") {
		const known = referrerMappings(referrer) ?? findBuiltInReferrer(referrer);
		utm_source = known?.utm_source ?? referrer;
		utm_medium = known?.utm_medium ?? "referrer";
	}
	const utm_campaign = text("utm_campaign");
	const { country = "", device = "" } = dimensions;
	return {
		referrer,
		landing_path: text("landing_path"),
		landing_group: text("landing_group"),
		utm_source,
		utm_medium,
		utm_campaign,
		utm_term: text("utm_term"),
		utm_content: text("utm_content"),
		country: COUNTRY.test(country.trim()) ? country.trim().toUpperCase() : UNKNOWN,
		device: deviceName(device),
		browser: text("browser") || UNKNOWN,
		os: text("os") || UNKNOWN,
		channel: classifyChannel({ source: utm_source, medium: utm_medium, campaign: utm_campaign }, channelRules),
		clid: "",
	};
}

/** Attribution of an arrival by the rules for hits; no dimensions for a page that has no address. */
export function attributed(arrival: Arrival, site: AttributionSettings): ImportedSum["dimensions"] {
	const page = parsePageAddress(arrival.page);
	if (page === undefined) return {};
	const referrer = parseReferrer(arrival.referrer);
	const decided = resolveAttribution({ page, referrer, site, live: undefined, isClickIdSeen: () => false });
	if (decided.kind === "continue") return {};
	const { utm_source, utm_medium, utm_campaign, utm_term, utm_content } = decided;
	return { referrer: decided.referrer, utm_source, utm_medium, utm_campaign, utm_term, utm_content };
}

/** A domain, whether the file has a whole address or the domain alone. */
function hostOf(referrer: string): string {
	if (referrer === "") return "";
	return parseReferrer(referrer)?.host ?? plainHost(referrer.split("/", 1)[0] ?? "");
}

/** Columns of a row of sums unless its measures say otherwise; such a row belongs to no visit. */
const plainRow = {
	session: "0",
	kind: "pageview",
	event_type: "",
	properties: {},
	amount: 0,
	bot_score: 0,
	bot_flags: 0,
	entrance: 0,
	rejoined: 0,
	engaged: 0,
	page_view: 0,
	conversion: 0,
	microconversion: 0,
	revenue: 0,
	visit_seconds: 0,
	visitor: 0,
} as const satisfies Partial<OwnColumns>;
