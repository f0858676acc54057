import { weighted } from "./random.ts";

/** Browser, system and device of a generated visitor. */
export interface DemoVisitor {
	readonly device: "desktop" | "mobile" | "tablet";
	readonly browser: string;
	readonly os: string;
}

/** Draws a device with its browser and system. */
export const drawVisitor = weighted<DemoVisitor>([
	[{ device: "mobile", browser: "Chrome", os: "Android" }, 27],
	[{ device: "mobile", browser: "Safari", os: "iOS" }, 24],
	[{ device: "mobile", browser: "Samsung Internet", os: "Android" }, 4],
	[{ device: "mobile", browser: "Firefox", os: "Android" }, 1],
	[{ device: "desktop", browser: "Chrome", os: "Windows" }, 18],
	[{ device: "desktop", browser: "Edge", os: "Windows" }, 7],
	[{ device: "desktop", browser: "Firefox", os: "Windows" }, 3],
	[{ device: "desktop", browser: "Safari", os: "macOS" }, 6],
	[{ device: "desktop", browser: "Chrome", os: "macOS" }, 4],
	[{ device: "desktop", browser: "Firefox", os: "Linux" }, 1.5],
	[{ device: "desktop", browser: "Opera", os: "Windows" }, 1],
	[{ device: "tablet", browser: "Safari", os: "iOS" }, 2.5],
	[{ device: "tablet", browser: "Chrome", os: "Android" }, 1],
]);

/** Draws a country code. */
export const drawCountry = weighted<string>([
	["ES", 24],
	["DE", 19],
	["FR", 13],
	["IT", 9],
	["GB", 7],
	["AT", 5],
	["PT", 4.5],
	["CH", 4],
	["US", 4],
	["PL", 3],
	["NL", 2.5],
	["MX", 1.2],
	["SE", 1],
	["AR", 0.7],
	["IN", 0.6],
	["JP", 0.4],
	["Unknown", 1.1],
]);

/** Draws the user agent of a program that is no visitor. */
export const drawBotAgent = weighted<string>([
	["Mozilla/5.0 (compatible; DemoCrawler/2.1; +https://crawler.example/bot)", 5],
	["python-requests/2.32.3", 3],
	["Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36", 2],
	["", 1],
]);
