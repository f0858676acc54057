import { findSourceByName } from "../../../../analytics/attribution/built-in-referrers.ts";
import type { SessionDimensions } from "../../../../analytics/model/event-row.ts";
import type { ImportedSum } from "./format.ts";

/** Names that tools give to what is known under another one here, in small letters. */
const operatingSystems: Readonly<Record<string, string>> = {
	macintosh: "macOS",
	mac: "macOS",
	"mac os": "macOS",
	"mac os x": "macOS",
	"os x": "macOS",
	"android os": "Android",
	"gnu/linux": "Linux",
	"chrome os": "ChromeOS",
	"chromium os": "ChromeOS",
};

const browsers: Readonly<Record<string, string>> = {
	chrome: "Chrome",
	"chromium-webview": "Chrome",
	"chrome webview": "Chrome",
	"chrome mobile": "Chrome",
	"chrome mobile webview": "Chrome",
	crios: "Chrome",
	"mobile safari": "Safari",
	safari: "Safari",
	"safari (in-app)": "Safari",
	ios: "Safari",
	"ios-webview": "Safari",
	"microsoft edge": "Edge",
	edge: "Edge",
	"edge-chromium": "Edge",
	"edge-ios": "Edge",
	firefox: "Firefox",
	fxios: "Firefox",
	"firefox mobile": "Firefox",
	"mobile app": "Unknown",
	samsung: "Samsung Internet",
	"samsung browser": "Samsung Internet",
	opera: "Opera",
	"opera-mini": "Opera Mini",
	ie: "Internet Explorer",
	facebook: "Facebook",
	instagram: "Instagram",
};

const VERSION = /\s+[\d.]+$/;

const named = (names: Readonly<Record<string, string>>, text: string): string => {
	const bare = text.trim().replace(VERSION, "");
	return names[bare.toLowerCase()] ?? bare;
};

/** An operating system under its name here, without a version. */
export const osName = (text: string): string =>
	/^windows\b(?!\s*(phone|mobile))/i.test(text.trim()) ? "Windows" : named(operatingSystems, text);

/** A browser under its name here, without a version. */
export const browserName = (text: string): string => named(browsers, text);

/** Names of sources that are none of the lists of referrers. */
const sources: Readonly<Record<string, string>> = {
	x: "twitter",
	"x (twitter)": "twitter",
	"twitter / x": "twitter",
	bluesky: "bsky",
	vkontakte: "vk",
	openai: "chatgpt",
	bard: "gemini",
	"google gemini": "gemini",
	"microsoft copilot": "copilot",
	"microsoft teams": "teams",
	"outlook.com": "outlook",
	"microsoft outlook": "outlook",
	"proton mail": "proton",
	"brave search": "brave",
	"yahoo! mail": "yahoo mail",
	fb: "facebook",
	ig: "instagram",
};

/**
 * A source under its name here, whether a tool calls it by its name (`Google`, `Hacker News`) or by its domain; with the medium
 * that it has here where none is told.
 */
export function withKnownSource(dimensions: ImportedSum["dimensions"]): ImportedSum["dimensions"] {
	const { utm_source = "", utm_medium = "" } = dimensions;
	if (utm_source === "") return dimensions;
	const known = findSourceByName(sources[utm_source.toLowerCase()] ?? utm_source);
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
