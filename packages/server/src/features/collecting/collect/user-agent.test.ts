import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { describeAgent } from "./user-agent.ts";

const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const IOS_WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)";
const ANDROID = "Mozilla/5.0 (Linux; Android 10; K)";

const people: readonly (readonly [userAgent: string, device: string, browser: string, os: string])[] = [
	[`${WINDOWS} ${WEBKIT} Chrome/153.0.0.0 Safari/537.36`, "desktop", "Chrome", "Windows"],
	[`${WINDOWS} ${WEBKIT} Chrome/153.0.0.0 Safari/537.36 Edg/153.0.0.0`, "desktop", "Edge", "Windows"],
	[`${WINDOWS} ${WEBKIT} Chrome/150.0.0.0 Safari/537.36 OPR/134.0.0.0`, "desktop", "Opera", "Windows"],
	[`${WINDOWS} ${WEBKIT} Chrome/150.0.0.0 Safari/537.36 Vivaldi/8.0.1`, "desktop", "Vivaldi", "Windows"],
	[`${WINDOWS} ${WEBKIT} Chrome/148.0.0.0 YaBrowser/26.5.0.0 Safari/537.36`, "desktop", "Yandex Browser", "Windows"],
	["Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko", "desktop", "Internet Explorer", "Windows"],
	["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:147.0) Gecko/20100101 Firefox/147.0", "desktop", "Firefox", "Windows"],
	["Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0", "desktop", "Firefox", "Linux"],
	["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "desktop", "Firefox", "Linux"],
	[
		`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/153.0.0.0 Safari/537.36`,
		"desktop",
		"Chrome",
		"ChromeOS",
	],
	[`${MAC} ${IOS_WEBKIT} Version/26.0 Safari/605.1.15`, "desktop", "Safari", "macOS"],
	[`${MAC} ${WEBKIT} Chrome/153.0.0.0 Safari/537.36`, "desktop", "Chrome", "macOS"],
	[`${IPHONE} ${IOS_WEBKIT} Version/26.0 Mobile/15E148 Safari/604.1`, "mobile", "Safari", "iOS"],
	[`${IPHONE} ${IOS_WEBKIT} CriOS/153.0.0.0 Mobile/15E148 Safari/604.1`, "mobile", "Chrome", "iOS"],
	[`${IPHONE} ${IOS_WEBKIT} FxiOS/147.0 Mobile/15E148 Safari/605.1.15`, "mobile", "Firefox", "iOS"],
	[`${IPHONE} ${IOS_WEBKIT} Version/18.0 EdgiOS/150.0.0.0 Mobile/15E148 Safari/605.1.15`, "mobile", "Edge", "iOS"],
	[`${IPHONE} ${IOS_WEBKIT} GSA/388.0.1 Mobile/15E148 Safari/604.1`, "mobile", "Google App", "iOS"],
	[
		`Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) ${IOS_WEBKIT} Version/16.6 Mobile/15E148 Safari/604.1`,
		"tablet",
		"Safari",
		"iOS",
	],
	[`${ANDROID} ${WEBKIT} Chrome/153.0.0.0 Mobile Safari/537.36`, "mobile", "Chrome", "Android"],
	[`${ANDROID} ${WEBKIT} Chrome/153.0.0.0 Safari/537.36`, "tablet", "Chrome", "Android"],
	[
		`${ANDROID} ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
		"mobile",
		"Samsung Internet",
		"Android",
	],
	[`${ANDROID} ${WEBKIT} Chrome/153.0.0.0 Mobile Safari/537.36 EdgA/153.0.0.0`, "mobile", "Edge", "Android"],
	["Mozilla/5.0 (Android 15; Mobile; rv:147.0) Gecko/147.0 Firefox/147.0", "mobile", "Firefox", "Android"],
	["Mozilla/5.0 (Android 15; Tablet; rv:147.0) Gecko/147.0 Firefox/147.0", "tablet", "Firefox", "Android"],
	[
		`Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP2A; wv) ${WEBKIT} Version/4.0 Chrome/150.0.0.0 Mobile Safari/537.36`,
		"mobile",
		"Chrome",
		"Android",
	],
	[
		`Mozilla/5.0 (Linux; Android 14; SM-S911B; wv) ${WEBKIT} Version/4.0 Chrome/150.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/480.0.0.54.88;]`,
		"mobile",
		"Facebook",
		"Android",
	],
	[
		`${IPHONE} ${IOS_WEBKIT} Mobile/15E148 Instagram 350.0.0 (iPhone14,5; iOS 18_6; es_ES)`,
		"mobile",
		"Instagram",
		"iOS",
	],
	[`Mozilla/5.0 (Linux; Android 9; AFTS) ${WEBKIT} Chrome/120.0.0.0 Safari/537.36`, "desktop", "Chrome", "Android"],
	[
		`Mozilla/5.0 (Linux; Android 11; KFTRWI) ${WEBKIT} Silk/120.1 like Chrome/120.0.0.0 Safari/537.36`,
		"tablet",
		"Silk",
		"Android",
	],
	...[
		"Android 7.0; M bot 60 Build/NRD90M; wv",
		"Android 7.0; M bot 60",
		"U; Android 4.4.2; fr-fr; M bot 51 Build/KOT49H",
		"Android 9; CUBOT_X19",
		"Android 8.1.0; ScanPal EDA51",
		"Android 6.0; Spider Build/MRA58K",
	].map(
		(device) =>
			[
				`Mozilla/5.0 (Linux; ${device}) ${WEBKIT} Chrome/98.0.4758.101 Mobile Safari/537.36`,
				"mobile",
				"Chrome",
				"Android",
			] as const,
	),
	[
		`Mozilla/5.0 (Linux; Android 7.0; M bot 60 Build/NRD90M; wv) ${WEBKIT} Version/4.0 Chrome/98.0.4758.101 Mobile Safari/537.36 Instagram 226.0.0 Android (24/7.0; 320dpi; 720x1356; LOGICOM; M bot 60; M_bot_60; mt6739; fr_FR)`,
		"mobile",
		"Instagram",
		"Android",
	],
];

test("a person's browser, device and system are recognized", () => {
	for (const [userAgent, ...expected] of people) {
		const { device, browser, os, isBotPattern, isHeadless, engine } = describeAgent(userAgent);
		assert.deepEqual([device, browser, os], expected, userAgent);
		assert.deepEqual([isBotPattern, isHeadless, engine.isSuspicious], [false, false, false], userAgent);
	}
});

const bots = [
	"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
	`Mozilla/5.0 ${WEBKIT}; compatible; GPTBot/1.2; +https://openai.com/gptbot)`,
	`Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${WEBKIT} Chrome/98.0.4758.101 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
	`Mozilla/5.0 (Linux; Android 7.0; M bot 60) ${WEBKIT} Chrome/98.0.4758.101 Mobile Safari/537.36 (compatible; SomeBot/2.1)`,
	`Mozilla/5.0 (Linux; Android 9; Pixel 3; ExampleBot 1) ${WEBKIT} Chrome/98.0.4758.101 Mobile Safari/537.36`,
	`Mozilla/5.0 (Linux; Android 9; ExampleBot) ${WEBKIT} Chrome/98.0.4758.101 Mobile Safari/537.36`,
	`Mozilla/5.0 (Linux; Android 9; spider@example.com 7) ${WEBKIT} Chrome/98.0.4758.101 Mobile Safari/537.36`,
	"curl/8.5.0",
	"python-requests/2.32.0",
	"Go-http-client/1.1",
	"axios/1.7.2",
	"k6/0.50.0 (https://k6.io/)",
	"Apache-HttpClient/4.5.14 (Java/17.0.9)",
	"Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
	"Scrapy/2.11.0 (+https://scrapy.org)",
	"okhttp/4.12.0",
	"Wget/1.21.4",
];

test("a crawler, a library, a load tool or a monitor is recognized as a program", () => {
	for (const userAgent of bots) {
		const { isBotPattern, isHeadless } = describeAgent(userAgent);
		assert.deepEqual([isBotPattern, isHeadless], [true, false], userAgent);
	}
});

test("a headless browser is told from a crawler", () => {
	for (const name of [
		"HeadlessChrome/153.0.0.0",
		"Chrome/153.0.0.0 Cypress/13.0",
		"PhantomJS/2.1.1",
		"Chrome/150.0.0.0 Playwright/1.60",
	]) {
		const agent = describeAgent(`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} ${name} Safari/537.36`);
		assert.deepEqual([agent.isHeadless, agent.isBotPattern], [true, false], name);
	}
	const headless = describeAgent(`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/153.0.0.0 Safari/537.36`);
	assert.deepEqual([headless.browser, headless.os, headless.device], ["Chrome", "Linux", "desktop"]);
});

test("a text that says nothing is an unknown desktop browser", () => {
	for (const text of ["", " ", "???"]) {
		const { device, browser, os } = describeAgent(text);
		assert.deepEqual([device, browser, os], ["desktop", "Unknown", "Unknown"]);
	}
});

test("versions that never existed are suspicious", () => {
	const impossible = [
		`${WINDOWS} ${WEBKIT} Chrome/0.0.0.0 Safari/537.36`,
		`${WINDOWS} ${WEBKIT} Chrome/9999.0.0.0 Safari/537.36`,
		`Mozilla/5.0 (Windows NT 11.0; Win64; x64) ${WEBKIT} Chrome/120.0.0.0 Safari/537.36`,
		`${MAC} ${IOS_WEBKIT} Version/22.1 Safari/605.1.15`,
		`Mozilla/5.0 (Linux; Android 99; K) ${WEBKIT} Chrome/120.0.0.0 Mobile Safari/537.36`,
		"Mozilla/5.0 (Windows NT 10.0; rv:100.0) Gecko/20100101 Firefox/130.0",
		"Mozilla/5.0 (short)",
		"Some Application Without An Engine",
	];
	for (const text of impossible) assert.equal(describeAgent(text).engine.isSuspicious, true, text);
	const frozen = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:109.0) Gecko/20100101 Firefox/115.0";
	assert.equal(describeAgent(frozen).engine.isSuspicious, false);
});

test("the parser reads the first 400 characters, and no app whose parenthesis stays open", () => {
	const browser = (text: string) => describeAgent(text).browser;
	const firefox = "Gecko/20100101 Firefox/147.0";
	assert.equal(browser(`${"x".repeat(371)} ${firefox}`), "Firefox");
	assert.equal(browser(`${"x".repeat(400)} ${firefox}`), "Unknown");
	assert.equal(browser(`${WINDOWS} NAVER(inapp; search; 1000; 12.1.1)`), "Naver");
	assert.equal(browser(`${WINDOWS} NAVER(inapp; search; 1000; 12.1.1`), "Unknown");
});

test("any text is described without an error, and the same text always alike", () => {
	fc.assert(
		fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("__proto__", "constructor")), (text) => {
			assert.deepEqual(describeAgent(text), describeAgent(text));
		}),
	);
});
