/** Where a browser runs, as far as client hints name it too. */
export type PlatformFamily = "windows" | "macos" | "ios" | "android" | "chromeos" | "linux" | "other";

/** Facts of a user agent that the headers of its requests must agree with. */
export interface BrowserEngine {
	/** Chromium's major version; 0 when it is not Chromium. */
	readonly chromium: number;
	/** An app's embedded Android view. */
	readonly isWebView: boolean;
	readonly platform: PlatformFamily;
	/** The user agent claims a phone's browser. */
	readonly isMobile: boolean;
	/** This browser sends fetch metadata (`Sec-Fetch-*`) to https addresses. */
	readonly sendsFetchMetadata: boolean;
	/** Too short, of no known engine, or with a version that never existed. */
	readonly isSuspicious: boolean;
}

const SHORTEST_REAL = 20;
const ENGINE = /applewebkit|gecko\/|trident\/|presto\/|khtml|goanna|msie \d|opera mini|servo\//i;

const platforms: readonly (readonly [PlatformFamily, RegExp])[] = [
	["other", /windows phone|tizen|web0s|webos|kaios|playstation|xbox|nintendo/i],
	["windows", /windows nt|\bwin(?:64|32)\b/i],
	["android", /android/i],
	["ios", /iphone|ipad|ipod/i],
	["macos", /macintosh|mac os x/i],
	["chromeos", /\bcros\b/i],
	["linux", /linux/i],
];

/** Versions that no browser or system ever had, and pairs that contradict each other. */
const impossible: readonly ((text: string) => boolean)[] = [
	// Chrome and Firefox are far from a four-digit version; generators of random numbers are not.
	(text) => /(?:chrome|firefox|crios|fxios|edg)\/(?:0|\d{4,})(?:\.|\s|$)/i.test(text),
	// Windows 11 still says 10.0 (Chromium and Firefox froze it).
	(text) => (version(text, /windows nt (\d+)/i) ?? 10) > 10,
	// Apple went from Safari 18 to 26.
	(text) => between(version(text, /version\/(\d+)[.\d]* (?:mobile\/\w+ )?safari\//i), 19, 25),
	(text) => between(version(text, /android (\d+)/i), 60, Number.POSITIVE_INFINITY),
	// Firefox repeats its version in "rv:", but for 110 to 119, which froze it at 109.
	(text) => {
		const firefox = version(text, / gecko\/[\d.]+ firefox\/(\d+)[.\d]*$/i);
		const revision = version(text, /\brv:(\d+)/i);
		if (firefox === undefined || revision === undefined || firefox < 20 || firefox === revision) return false;
		return !(revision === 109 && between(firefox, 110, 119));
	},
];

export function browserEngine(text: string): BrowserEngine {
	const chromium = version(text, /(?:chrome|chromium)\/(\d{1,9})/i) ?? 0;
	return {
		chromium,
		isWebView: /; wv\)/.test(text),
		platform: platforms.find(([, pattern]) => pattern.test(text))?.[0] ?? "other",
		isMobile: /\bmobile\b/i.test(text),
		sendsFetchMetadata: sendsFetchMetadata(text, chromium),
		isSuspicious: isSuspicious(text),
	};
}

/** First versions with fetch metadata: Chromium 80, Firefox 90, Safari 16.4 and every browser on iOS 16.4. */
function sendsFetchMetadata(text: string, chromium: number): boolean {
	if (chromium > 0) return chromium >= 80;
	const firefox = version(text, / firefox\/(\d{1,9})/i);
	if (firefox !== undefined) return firefox >= 90;
	const ios = /(?:iphone|ipad|ipod).* os (\d+)_(\d+)/i.exec(text);
	const safari = ios ?? /version\/(\d+)\.(\d+)[.\d]* safari\//i.exec(text);
	if (safari === null) return false;
	return Number(safari[1]) * 100 + Number(safari[2]) >= 1604;
}

function isSuspicious(text: string): boolean {
	return text.trim().length < SHORTEST_REAL || !ENGINE.test(text) || impossible.some((test) => test(text));
}

function version(text: string, pattern: RegExp): number | undefined {
	const digits = pattern.exec(text)?.[1];
	return digits === undefined ? undefined : Number(digits);
}

function between(value: number | undefined, least: number, most: number): boolean {
	return value !== undefined && value >= least && value <= most;
}
