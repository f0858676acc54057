import { storedLabel } from "./clean-text.ts";

/** Source and medium of a click id. */
interface ClickSource {
	readonly utm_source: string;
	readonly utm_medium: string;
	/** Other sources that a referrer may name. */
	readonly family?: readonly string[];
}

/**
 * Applications and engines that pass on the same click id as their company's: a referrer of this source names the one that
 * was clicked in. Microsoft's and Google's advertisements stand in other search engines too.
 */
const META = ["instagram", "threads", "whatsapp"];
const GOOGLE = ["youtube", "aol", "ask", "ecosia", "startpage"];
const MICROSOFT = [
	"aol",
	"dogpile",
	"duckduckgo",
	"ecosia",
	"lilo",
	"metager",
	"qwant",
	"startpage",
	"swisscows",
	"yahoo",
];

/** A click id found in an address. */
export interface ClickId extends ClickSource {
	readonly value: string;
}

/** Longest click id that is kept; real ones have up to about 250 characters. */
const MAX_CLICK_ID = 500;

/** Query parameters that advertisers add to a click, in order of precedence. */
const clickIdParameters: ReadonlyMap<string, ClickSource> = new Map([
	["gclid", { utm_source: "google", utm_medium: "cpc", family: GOOGLE }],
	["gbraid", { utm_source: "google", utm_medium: "cpc", family: GOOGLE }],
	["wbraid", { utm_source: "google", utm_medium: "cpc", family: GOOGLE }],
	["fbclid", { utm_source: "facebook", utm_medium: "social", family: META }],
	["msclkid", { utm_source: "bing", utm_medium: "cpc", family: MICROSOFT }],
	["yclid", { utm_source: "yandex", utm_medium: "cpc" }],
	["ttclid", { utm_source: "tiktok", utm_medium: "cpc" }],
	["twclid", { utm_source: "twitter", utm_medium: "cpc" }],
	["li_fat_id", { utm_source: "linkedin", utm_medium: "cpc" }],
	["ScCid", { utm_source: "snapchat", utm_medium: "cpc" }],
	["rdt_cid", { utm_source: "reddit", utm_medium: "cpc" }],
]);

/** True for a query parameter that holds a click id. */
export const isClickIdParameter = (name: string): boolean => clickIdParameters.has(name);
/** The names of these parameters. */
export const clickIdNames: readonly string[] = [...clickIdParameters.keys()];

const none: readonly ClickId[] = [];

/** All click ids of an address, in order of precedence. */
export function findClickIds(params: ReadonlyMap<string, string>): readonly ClickId[] {
	if (params.size === 0) return none;
	const found: ClickId[] = [];
	for (const [name, source] of clickIdParameters) {
		const value = params.get(name);
		if (value !== undefined) found.push({ ...source, value: storedLabel(value, MAX_CLICK_ID) });
	}
	return found;
}
