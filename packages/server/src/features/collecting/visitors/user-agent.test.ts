import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import { test } from "node:test";
import fc from "fast-check";
import { type BotFlag, botFlagNames, botFlags, botScore } from "../../../analytics/model/bot-flags.ts";
import { scoreSuspicion } from "./suspicion.ts";
import { describeAgent } from "./user-agent.ts";

const WINDOWS = "Windows NT 10.0; Win64; x64";
const MAC = "Macintosh; Intel Mac OS X 10_15_7";
const LINUX = "X11; Linux x86_64";
const CHROMEOS = "X11; CrOS x86_64 14541.0.0";
const IPHONE = "iPhone; CPU iPhone OS 18_6 like Mac OS X";
const ANDROID = "Linux; Android 10; K";
const blink = (system: string, names = "Chrome/153.0.0.0") =>
	`Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${names} Safari/537.36`;
const mobileBlink = (system: string, names = "Chrome/98.0.4758.101") => blink(system, `${names} Mobile`);
const webkit = (system: string, names: string) =>
	`Mozilla/5.0 (${system}) AppleWebKit/605.1.15 (KHTML, like Gecko) ${names}`;
const firefox = (system: string, version = 147) =>
	`Mozilla/5.0 (${system}; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
const androidFirefox = (form: string) => `Mozilla/5.0 (Android 15; ${form}; rv:147.0) Gecko/147.0 Firefox/147.0`;

/** User agents by what they say: device, browser and system. */
const people: Readonly<Record<string, readonly string[]>> = {
	"desktop Chrome Windows": [blink(WINDOWS)],
	"desktop Edge Windows": [`${blink(WINDOWS)} Edg/153.0.0.0`],
	"desktop Opera Windows": [`${blink(WINDOWS, "Chrome/150.0.0.0")} OPR/134.0.0.0`],
	"desktop Vivaldi Windows": [`${blink(WINDOWS, "Chrome/150.0.0.0")} Vivaldi/8.0.1`],
	"desktop Yandex Browser Windows": [blink(WINDOWS, "Chrome/148.0.0.0 YaBrowser/26.5.0.0")],
	"desktop Internet Explorer Windows": ["Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko"],
	"desktop Firefox Windows": [firefox(WINDOWS)],
	"desktop Firefox Linux": [firefox("X11; Ubuntu; Linux x86_64"), firefox(LINUX, 140)],
	"desktop Chrome ChromeOS": [blink(CHROMEOS)],
	"desktop Safari macOS": [webkit(MAC, "Version/26.0 Safari/605.1.15")],
	"desktop Chrome macOS": [blink(MAC)],
	"desktop Chrome Android": [blink("Linux; Android 9; AFTS", "Chrome/120.0.0.0")],
	"mobile Safari iOS": [webkit(IPHONE, "Version/26.0 Mobile/15E148 Safari/604.1")],
	"mobile Chrome iOS": [webkit(IPHONE, "CriOS/153.0.0.0 Mobile/15E148 Safari/604.1")],
	"mobile Firefox iOS": [webkit(IPHONE, "FxiOS/147.0 Mobile/15E148 Safari/605.1.15")],
	"mobile Edge iOS": [webkit(IPHONE, "Version/18.0 EdgiOS/150.0.0.0 Mobile/15E148 Safari/605.1.15")],
	"mobile Google App iOS": [webkit(IPHONE, "GSA/388.0.1 Mobile/15E148 Safari/604.1")],
	"mobile Instagram iOS": [webkit(IPHONE, "Mobile/15E148 Instagram 350.0.0 (iPhone14,5; iOS 18_6; es_ES)")],
	"tablet Safari iOS": [webkit("iPad; CPU OS 16_6 like Mac OS X", "Version/16.6 Mobile/15E148 Safari/604.1")],
	"mobile Chrome Android": [
		mobileBlink(ANDROID, "Chrome/153.0.0.0"),
		mobileBlink("Linux; Android 14; Pixel 8 Build/AP2A; wv", "Version/4.0 Chrome/150.0.0.0"),
		// Names of telephones that hold a word of programs.
		mobileBlink("Linux; Android 7.0; M bot 60 Build/NRD90M; wv", "Version/4.0 Chrome/74.0.3729.157"),
		mobileBlink("Linux; Android 7.0; M bot 60"),
		mobileBlink("Linux; U; Android 4.4.2; fr-fr; M bot 51 Build/KOT49H"),
		mobileBlink("Linux; Android 9; CUBOT_X19"),
		mobileBlink("Linux; Android 8.1.0; ScanPal EDA51"),
		mobileBlink("Linux; Android 6.0; Spider Build/MRA58K"),
	],
	"tablet Chrome Android": [blink(ANDROID)],
	"mobile Samsung Internet Android": [mobileBlink(ANDROID, "SamsungBrowser/28.0 Chrome/130.0.0.0")],
	"mobile Edge Android": [`${mobileBlink(ANDROID, "Chrome/153.0.0.0")} EdgA/153.0.0.0`],
	"mobile Firefox Android": [androidFirefox("Mobile")],
	"tablet Firefox Android": [androidFirefox("Tablet")],
	"mobile Facebook Android": [`${mobileBlink(`${ANDROID}; wv`, "Version/4.0")} [FB_IAB/FB4A;FBAV/480.0.0.54.88;]`],
	"tablet Silk Android": [blink("Linux; Android 11; KFTRWI", "Silk/120.1 like Chrome/120.0.0.0")],
	"mobile Instagram Android": [
		`${mobileBlink("Linux; Android 7.0; M bot 60; wv")} Instagram 226.0.0 Android (24/7.0; M bot 60; M_bot_60; fr_FR)`,
	],
};

test("a person's browser, device and system are recognized", () => {
	for (const [expected, userAgents] of Object.entries(people)) {
		for (const userAgent of userAgents) {
			const { device, browser, os, isBotPattern, isHeadless, engine } = describeAgent(userAgent);
			assert.equal(`${device} ${browser} ${os}`, expected, userAgent);
			assert.deepEqual([isBotPattern, isHeadless, engine.isSuspicious], [false, false, false], userAgent);
		}
	}
});

const bots = [
	...["curl/8.5.0", "python-requests/2.32.0", "Go-http-client/1.1", "axios/1.7.2", "k6/0.50.0 (https://k6.io/)"],
	...["Apache-HttpClient/4.5.14 (Java/17.0.9)", "Scrapy/2.11.0 (+https://scrapy.org)", "okhttp/4.12.0", "Wget/1.21.4"],
	"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
	"Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
	"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.2; +https://openai.com/gptbot)",
	`${mobileBlink("Linux; Android 6.0.1; Nexus 5X")} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
	`${mobileBlink("Linux; Android 7.0; M bot 60")} (compatible; SomeBot/2.1)`,
	mobileBlink("Linux; Android 9; Pixel 3; ExampleBot 1"),
	mobileBlink("Linux; Android 9; ExampleBot"),
	mobileBlink("Linux; Android 9; spider@example.com 7"),
];

test("a crawler, a library, a load tool or a monitor is recognized as a program, a headless browser as that", () => {
	for (const userAgent of bots) {
		const { isBotPattern, isHeadless } = describeAgent(userAgent);
		assert.deepEqual([isBotPattern, isHeadless], [true, false], userAgent);
	}
	const automated = ["Chrome/153.0.0.0 Cypress/13.0", "PhantomJS/2.1.1", "Chrome/150.0.0.0 Playwright/1.60"];
	for (const name of [...automated, "HeadlessChrome/153.0.0.0"]) {
		const { isHeadless, isBotPattern } = describeAgent(blink(LINUX, name));
		assert.deepEqual([isHeadless, isBotPattern], [true, false], name);
	}
	const { browser, os, device } = describeAgent(blink(LINUX, "HeadlessChrome/153.0.0.0"));
	assert.deepEqual([browser, os, device], ["Chrome", "Linux", "desktop"]);
});

test("versions that never existed are suspicious", () => {
	for (const text of [
		blink(WINDOWS, "Chrome/0.0.0.0"),
		blink(WINDOWS, "Chrome/9999.0.0.0"),
		blink("Windows NT 11.0; Win64; x64", "Chrome/120.0.0.0"),
		webkit(MAC, "Version/22.1 Safari/605.1.15"),
		mobileBlink("Linux; Android 99; K"),
		"Mozilla/5.0 (Windows NT 10.0; rv:100.0) Gecko/20100101 Firefox/130.0",
		"Mozilla/5.0 (short)",
		"Some Application Without An Engine",
	])
		assert.equal(describeAgent(text).engine.isSuspicious, true, text);
	const frozen = `Mozilla/5.0 (${WINDOWS}; rv:109.0) Gecko/20100101 Firefox/115.0`;
	assert.equal(describeAgent(frozen).engine.isSuspicious, false);
});

test("the parser reads the first 400 characters, and no app whose parenthesis stays open; any text is described", () => {
	const described = (text: string) => {
		const { device, browser, os } = describeAgent(text);
		return `${device} ${browser} ${os}`;
	};
	for (const text of ["", " ", "???"]) assert.equal(described(text), "desktop Unknown Unknown");
	assert.match(described(`${"x".repeat(371)} Gecko/20100101 Firefox/147.0`), /Firefox/);
	assert.match(described(`${"x".repeat(400)} Gecko/20100101 Firefox/147.0`), /Unknown/);
	assert.match(described(`Mozilla/5.0 (${WINDOWS}) NAVER(inapp; search; 1000; 12.1.1)`), /Naver/);
	assert.match(described(`Mozilla/5.0 (${WINDOWS}) NAVER(inapp; search; 1000; 12.1.1`), /Unknown/);
	const texts = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("__proto__", "constructor"));
	fc.assert(fc.property(texts, (text) => assert.deepEqual(describeAgent(text), describeAgent(text))));
});

interface Request {
	readonly userAgent: string | undefined;
	readonly headers: IncomingHttpHeaders;
}

/** A cross-origin `sendBeacon` or `fetch` POST, as the browsers were seen to send it. */
const fetched = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "empty" };
const plain = { "accept-encoding": "gzip, deflate, br, zstd", "accept-language": "es-ES,es;q=0.9,en;q=0.8" };
const noZstd = { "accept-encoding": "gzip, deflate, br", "accept-language": "en-GB" };
const chromium = (userAgent: string, platform: string): Request => ({
	userAgent,
	headers: {
		...{ ...plain, ...fetched, "sec-ch-ua": '"Chromium";v="153", "Google Chrome";v="153", "Not)A;Brand";v="8"' },
		...{ "sec-ch-ua-mobile": /Mobile/.test(userAgent) ? "?1" : "?0", "sec-ch-ua-platform": `"${platform}"` },
	},
});
const chrome = chromium(blink(WINDOWS), "Windows");
const phone = chromium(mobileBlink(ANDROID, "Chrome/153.0.0.0"), "Android");
const linuxFirefox: Request = { userAgent: firefox(LINUX), headers: { ...plain, ...fetched } };
const iosSafari: Request = {
	userAgent: webkit(IPHONE, "Version/26.0 Mobile/15E148 Safari/604.1"),
	headers: { ...noZstd, ...fetched },
};
const browsers: Readonly<Record<string, Request>> = {
	"Chrome on Windows": chrome,
	"Chrome on macOS": chromium(blink(MAC), "macOS"),
	"Chrome on Linux": chromium(blink(LINUX), "Linux"),
	"Chrome on ChromeOS": chromium(blink(CHROMEOS), "Chrome OS"),
	"Chrome on an Android phone": phone,
	"Chrome on an Android tablet": chromium(blink(ANDROID), "Android"),
	"Chrome on Android asking for the desktop site": chromium(blink(LINUX), "Android"),
	"an app's Android view from before client hints": {
		userAgent: mobileBlink("Linux; Android 12; SM-A525F; wv", "Version/4.0 Chrome/110.0.0.0"),
		headers: { ...plain, ...fetched },
	},
	"Firefox on Linux": linuxFirefox,
	"Firefox on Android": {
		userAgent: androidFirefox("Mobile"),
		headers: { ...plain, ...fetched, "sec-fetch-mode": "cors" },
	},
	"Safari on macOS": { ...iosSafari, userAgent: webkit(MAC, "Version/26.0 Safari/605.1.15") },
	"Safari on iOS": iosSafari,
	"Safari from before fetch metadata": {
		userAgent: webkit("iPhone; CPU iPhone OS 15_7 like Mac OS X", "Version/15.6 Mobile/15E148 Safari/604.1"),
		headers: noZstd,
	},
};

const judge = ({ userAgent, headers }: Request, secure = true) => {
	const { score, flags } = scoreSuspicion({ agent: describeAgent(userAgent ?? ""), userAgent, headers, secure });
	return { score, flags: botFlagNames(flags) };
};
const having = (headers: IncomingHttpHeaders, request = chrome): Request => ({
	...request,
	headers: { ...request.headers, ...headers },
});
/** The request without headers whose names begin so. */
const without = (start: RegExp, request = chrome): Request => ({
	...request,
	headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => !start.test(name))),
});
const agent = (userAgent: string | undefined): Request => ({ ...chrome, userAgent });
const HINTS = /^sec-ch/;

test("requests of browsers are above suspicion, over https and over http", () => {
	const clean = { score: 0, flags: [] };
	for (const [name, request] of Object.entries(browsers)) {
		assert.deepEqual(judge(request), clean, name);
		const overHttp = having({ "accept-encoding": "gzip, deflate" }, without(/^sec-/, request));
		assert.deepEqual(judge(overHttp, false), clean, name);
		// A loopback address counts as secure to the browser, so everything but the compressions is sent.
		assert.deepEqual(judge(having({ "accept-encoding": "gzip, deflate" }, request), false), clean, name);
	}
	for (const way of ["same-origin cors", "same-site no-cors", "cross-site cors", "same-origin same-origin"]) {
		const [site, mode] = way.split(" ");
		assert.deepEqual(judge(having({ "sec-fetch-site": site, "sec-fetch-mode": mode })), clean, way);
	}
	// Client hints before Chromium 89 and unknown platforms prove nothing.
	assert.deepEqual(judge(without(HINTS, agent(blink(WINDOWS, "Chrome/88.0.0.0")))), clean);
	for (const platform of ['"Unknown"', ""]) assert.deepEqual(judge(having({ "sec-ch-ua-platform": platform })), clean);
	assert.deepEqual(judge(having({ "sec-ch-ua-mobile": "maybe" })), clean);
	// Chromium 76 to 79 has fetch metadata without a destination.
	const old = (version: number) => without(/^sec-ch|dest/, agent(blink(LINUX, `Chrome/${version}.0.0.0`)));
	assert.deepEqual(judge(old(79)), clean);
	assert.deepEqual(judge(old(80)), { score: 30, flags: ["sec_fetch_inconsistent"] });
});

const flagged: Readonly<Record<BotFlag, readonly [score: number, ...requests: Request[]]>> = {
	empty_user_agent: [90, without(HINTS, agent(undefined)), without(HINTS, agent("  "))],
	known_bot_pattern: [85, agent("Mozilla/5.0 (compatible; Bytespider; +http://x.example/) AppleWebKit/537.36")],
	headless_user_agent: [70, chromium(blink(LINUX, "HeadlessChrome/153.0.0.0"), "Linux")],
	suspicious_user_agent: [50, agent(blink(WINDOWS, "Chrome/4711.0.0.0"))],
	platform_mismatch: [40, ...["Linux", "Android"].map((platform) => chromium(blink(WINDOWS), platform))],
	mobile_mismatch: [35, having({ "sec-ch-ua-mobile": "?1" }), having({ "sec-ch-ua-mobile": "?0" }, phone)],
	sec_fetch_inconsistent: [
		30,
		having({ "sec-fetch-mode": "navigate" }),
		...["document", "image"].map((dest) => having({ "sec-fetch-dest": dest })),
		...["none", "cross-origin"].map((site) => having({ "sec-fetch-site": site })),
		having({ "sec-fetch-user": "?1" }),
		...[/-mode/, /-site/, /-dest/].map((name) => without(name)),
		without(/-dest/, linuxFirefox),
	],
	missing_client_hints: [25, without(HINTS)],
	missing_sec_fetch: [25, ...[chrome, linuxFirefox, iosSafari].map((request) => without(/^sec-fetch/, request))],
	missing_accept_language: [20, without(/^accept-lang/), having({ "accept-language": "" })],
	incomplete_accept_encoding: [
		15,
		without(/^accept-enc/),
		...["gzip", "identity, *;q=0"].map((accepted) => having({ "accept-encoding": accepted })),
	],
};

test("each flag is set alone, with its own weight, and weights add up to 100 at most", () => {
	for (const { name, weight } of botFlags) {
		const [score, ...requests] = flagged[name];
		assert.equal(weight, score, name);
		for (const request of requests) assert.deepEqual(judge(request), { score, flags: [name] }, JSON.stringify(request));
	}
	const curl = { userAgent: "curl/8.5.0", headers: { "accept-encoding": "gzip" } };
	const flags = ["known_bot_pattern", "suspicious_user_agent", "missing_accept_language", "incomplete_accept_encoding"];
	assert.deepEqual(judge(curl), { score: 100, flags });
	assert.deepEqual(judge(without(/^accept/)), { score: 35, flags: flags.slice(2) });
	assert.equal(botScore(2 ** botFlags.length - 1), 100);
});
