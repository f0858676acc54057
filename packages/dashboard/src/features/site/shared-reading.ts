import { type SharedReport, sharedReport } from "../../api/shared.ts";
import { type Filter, type FilterField, isProperty } from "./parse-filter.ts";

/** A part of the report that a shared link may show, by the API's name. */
export type SharedList = SharedReport["lists"][number];

/** Lists that show the values of a field: readers of a shared link can only filter by visible lists. */
const toldBy: Readonly<Record<FilterField, readonly SharedList[]>> = {
	channel_group: ["channels"],
	utm_source: ["sources"],
	utm_medium: ["mediums"],
	utm_campaign: ["campaigns"],
	utm_term: ["terms"],
	utm_content: ["contents"],
	referrer_domain: ["referrers"],
	path: ["pages", "exit_pages"],
	landing_page: ["landing_pages"],
	content_grouping: ["content_groups"],
	country: ["countries"],
	device_type: ["devices"],
	browser: ["browsers"],
	os: ["systems"],
	conversion_type: ["conversions", "microconversions"],
	day_of_week: ["hours"],
	hour: ["hours"],
};

/** True where a part of the report is shown: everywhere, but for who reads by a link that leaves it out. */
export const mayShow = (list: SharedList): boolean => sharedReport()?.lists.includes(list) ?? true;

/** True where one may filter by anything. */
export const mayFilter = (): boolean => sharedReport()?.may_filter ?? true;

/** True where one may filter by a field; no list shows the values of properties. */
export const mayFilterBy = (field: Filter["field"]): boolean =>
	isProperty(field) ? sharedReport() === undefined : mayFilter() && toldBy[field].some(mayShow);

const given = new URLSearchParams(globalThis.location?.search);
const lookNames = ["theme", "lang", "hide"];
/** Display options of the embedding page; they stay in the address. */
export const givenLook: Readonly<Record<string, string>> = Object.fromEntries(
	lookNames.flatMap((name) => {
		const value = given.get(name);
		return value === null ? [] : [[name, value]];
	}),
);

/** True for a part of the report that the address of a shared link leaves out. */
export const isHidden = (part: "map"): boolean => givenLook["hide"]?.split(",").includes(part) ?? false;
