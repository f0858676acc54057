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
