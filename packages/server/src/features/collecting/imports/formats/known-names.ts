import { findSourceByName } from "../../../../analytics/attribution/built-in-referrers.ts";
import type { SessionDimensions } from "../../../../analytics/model/event-row.ts";
import type { ImportedSum } from "./format.ts";

/** Names of tools, in small letters, to the names here; those of one name here are separated by ` | `. */
const namesOf = (theirs: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
	new Map(Object.entries(theirs).flatMap(([ours, names]) => names.split(" | ").map((name) => [name, ours] as const)));

const operatingSystems = namesOf({
	macOS: "macintosh | mac | mac os | mac os x | os x",
	Android: "android os",
	Linux: "gnu/linux",
	ChromeOS: "chrome os | chromium os",
});
const browsers = namesOf({
	Chrome: "chrome | chromium-webview | chrome webview | chrome mobile | chrome mobile webview | crios",
	Safari: "mobile safari | safari | safari (in-app) | ios | ios-webview",
	Edge: "microsoft edge | edge | edge-chromium | edge-ios",
	Firefox: "firefox | fxios | firefox mobile",
	"Samsung Internet": "samsung | samsung browser",
	Opera: "opera",
	"Opera Mini": "opera-mini",
	"Internet Explorer": "ie",
	Facebook: "facebook",
	Instagram: "instagram",
	Unknown: "mobile app",
});

const VERSION = /\s+[\d.]+$/;

const named = (names: ReadonlyMap<string, string>, text: string): string => {
	const bare = text.trim().replace(VERSION, "");
	return names.get(bare.toLowerCase()) ?? bare;
};

/** An operating system under its name here, without a version. */
export const osName = (text: string): string =>
	/^windows\b(?!\s*(phone|mobile))/i.test(text.trim()) ? "Windows" : named(operatingSystems, text);

export const browserName = (text: string): string => named(browsers, text);

/** Names of sources that are none of the lists of referrers. */
const sources = namesOf({
	twitter: "x | x (twitter) | twitter / x",
	bsky: "bluesky",
	vk: "vkontakte",
	chatgpt: "openai",
	gemini: "bard | google gemini",
	copilot: "microsoft copilot",
	teams: "microsoft teams",
	outlook: "outlook.com | microsoft outlook",
	proton: "proton mail",
	"brave search": "brave",
	"yahoo mail": "yahoo! mail",
	facebook: "fb",
	instagram: "ig",
});

/** A source under its name here, whether it is given by name (`Google`) or domain, with its medium here where none is given. */
export function withKnownSource(dimensions: ImportedSum["dimensions"]): ImportedSum["dimensions"] {
	const { utm_source = "", utm_medium = "" } = dimensions;
	if (utm_source === "") return dimensions;
	const known = findSourceByName(sources.get(utm_source.toLowerCase()) ?? utm_source);
	if (known === undefined) return dimensions;
	return { ...dimensions, utm_source: known.utm_source, utm_medium: utm_medium === "" ? known.utm_medium : utm_medium };
}

const devices: readonly (readonly [SessionDimensions["device"], RegExp])[] = [
	["tablet", /^(?:tablet|tableta)$/i],
	[
		"mobile",
		/^(?:mobile|smart ?phone|phablet|feature phone|wearable|portable media player|phone|m[oó]vil|tel[eé]fono.*)$/i,
	],
	["desktop", /^(?:desktop|laptop|tv|smart ?tv|console|ordenador|computadora|escritorio|port[aá]til)$/i],
];

/** A kind of device under its name here; `unknown` for all that is none. */
export const deviceName = (text: string): SessionDimensions["device"] =>
	devices.find(([, names]) => names.test(text.trim()))?.[0] ?? "unknown";

const A = "A".charCodeAt(0);
const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(A + index));
let countries: ReadonlyMap<string, string> | undefined;

/** Every country by its English and Spanish names, in small letters. */
function countryNames(): ReadonlyMap<string, string> {
	const names = new Map([
		["turkey", "TR"],
		["turquía", "TR"],
		["hong kong", "HK"],
		["macao", "MO"],
		["macau", "MO"],
		["czech republic", "CZ"],
		["myanmar", "MM"],
		["usa", "US"],
	]);
	for (const language of ["en", "es"]) {
		const display = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
		for (const code of letters.flatMap((one) => letters.map((two) => one + two))) {
			// Codes of countries that are no more have the name of their successor.
			if (Intl.getCanonicalLocales(`und-${code}`)[0] !== `und-${code}`) continue;
			const name = display.of(code)?.toLowerCase();
			if (name !== undefined && !names.has(name)) names.set(name, code);
		}
	}
	return names;
}

/** The code of a country, of its code or its name; `""` for what is none. */
export function countryCode(text: string): string {
	const bare = text.trim();
	if (/^[A-Za-z]{2}$/.test(bare)) return bare.toUpperCase();
	countries ??= countryNames();
	return countries.get(bare.toLowerCase()) ?? "";
}
