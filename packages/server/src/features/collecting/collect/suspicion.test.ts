import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import { test } from "node:test";
import { type BotFlag, botFlagNames, botFlags, botScore } from "../../../analytics/model/bot-flags.ts";
import { scoreSuspicion } from "./suspicion.ts";
import { describeAgent } from "./user-agent.ts";

interface Request {
	readonly userAgent: string | undefined;
	readonly headers: IncomingHttpHeaders;
}

/** A cross-origin `sendBeacon` or `fetch` POST, as the browsers were seen to send it. */
const fetched = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "empty" };
const hints = (platform: string, mobile: boolean) => ({
	"sec-ch-ua": '"Chromium";v="153", "Google Chrome";v="153", "Not)A;Brand";v="8"',
	"sec-ch-ua-mobile": mobile ? "?1" : "?0",
	"sec-ch-ua-platform": `"${platform}"`,
});
const plain = { "accept-encoding": "gzip, deflate, br, zstd", "accept-language": "es-ES,es;q=0.9,en;q=0.8" };

const chrome: Request = {
	userAgent:
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36",
	headers: { ...plain, ...fetched, ...hints("Windows", false) },
};
const browsers: Readonly<Record<string, Request>> = {
	"Chrome on Windows": chrome,
	"Chrome on macOS": {
		userAgent:
			"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36",
		headers: { ...plain, ...fetched, ...hints("macOS", false) },
	},
	"Chrome on Linux": {
		userAgent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36",
		headers: { ...plain, ...fetched, ...hints("Linux", false) },
	},
	"Chrome on ChromeOS": {
		userAgent:
			"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36",
		headers: { ...plain, ...fetched, ...hints("Chrome OS", false) },
	},
	"Chrome on an Android phone": {
		userAgent:
			"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Mobile Safari/537.36",
		headers: { ...plain, ...fetched, ...hints("Android", true) },
	},
	"Chrome on an Android tablet": {
		userAgent:
			"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36",
		headers: { ...plain, ...fetched, ...hints("Android", false) },
	},
	"Chrome on Android asking for the desktop site": {
		userAgent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36",
		headers: { ...plain, ...fetched, ...hints("Android", false) },
	},
	"an app's Android view from before client hints": {
		userAgent:
			"Mozilla/5.0 (Linux; Android 12; SM-A525F; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/110.0.0.0 Mobile Safari/537.36",
		headers: { ...plain, ...fetched },
	},
	"Firefox on Linux": {
		userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0",
		headers: { ...plain, ...fetched },
	},
	"Firefox on Android": {
		userAgent: "Mozilla/5.0 (Android 15; Mobile; rv:147.0) Gecko/147.0 Firefox/147.0",
		headers: { ...plain, ...fetched, "sec-fetch-mode": "cors" },
	},
	"Safari on macOS": {
		userAgent:
			"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
		headers: { ...fetched, "accept-encoding": "gzip, deflate, br", "accept-language": "es-ES,es;q=0.9" },
	},
	"Safari on iOS": {
		userAgent:
			"Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
		headers: { ...fetched, "accept-encoding": "gzip, deflate, br", "accept-language": "es-ES,es;q=0.9" },
	},
	"Safari from before fetch metadata": {
		userAgent:
			"Mozilla/5.0 (iPhone; CPU iPhone OS 15_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.6 Mobile/15E148 Safari/604.1",
		headers: { "accept-encoding": "gzip, deflate, br", "accept-language": "en-GB" },
	},
};

const judge = ({ userAgent, headers }: Request, secure = true) => {
	const { score, flags } = scoreSuspicion({ agent: describeAgent(userAgent ?? ""), userAgent, headers, secure });
	return { score, flags: botFlagNames(flags) };
};

const with_ = (headers: IncomingHttpHeaders, request = chrome): Request => ({
	...request,
	headers: { ...request.headers, ...headers },
});

const without = (names: readonly string[], request = chrome): Request => ({
	...request,
	headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => !names.includes(name))),
});

const agent = (userAgent: string | undefined, request = chrome): Request => ({ ...request, userAgent });
const SEC_FETCH = ["sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"];
const HINTS = ["sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform"];

test("requests of browsers are above suspicion, over https and over http", () => {
	const clean = { score: 0, flags: [] };
	for (const [name, request] of Object.entries(browsers)) {
		assert.deepEqual(judge(request), clean, name);
		const overHttp = with_({ "accept-encoding": "gzip, deflate" }, without([...SEC_FETCH, ...HINTS], request));
		assert.deepEqual(judge(overHttp, false), clean, name);
		// A loopback address counts as secure to the browser, so everything but the compressions is sent.
		assert.deepEqual(judge(with_({ "accept-encoding": "gzip, deflate" }, request), false), clean, name);
	}
	for (const [site, mode] of [
		["same-origin", "cors"],
		["same-site", "no-cors"],
		["cross-site", "cors"],
		["same-origin", "same-origin"],
	] as const) {
		assert.deepEqual(judge(with_({ "sec-fetch-site": site, "sec-fetch-mode": mode })), clean, `${site} ${mode}`);
	}
});

const flagged: readonly (readonly [flag: BotFlag, score: number, what: string, request: Request])[] = [
	["empty_user_agent", 90, "none", without(HINTS, agent(undefined))],
	["empty_user_agent", 90, "blanks", without(HINTS, agent("  "))],
	[
		"known_bot_pattern",
		85,
		"a crawler",
		agent("Mozilla/5.0 (compatible; Bytespider; +http://x.example/) AppleWebKit/537.36"),
	],
	[
		"headless_user_agent",
		70,
		"headless Chrome",
		with_(
			{ "sec-ch-ua-platform": '"Linux"' },
			agent(
				"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/153.0.0.0 Safari/537.36",
			),
		),
	],
	[
		"suspicious_user_agent",
		50,
		"an impossible version",
		agent("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/4711.0.0.0 Safari/537.36"),
	],
	["platform_mismatch", 40, "Linux posing as Windows", with_({ "sec-ch-ua-platform": '"Linux"' })],
	["platform_mismatch", 40, "Android posing as Windows", with_({ "sec-ch-ua-platform": '"Android"' })],
	["mobile_mismatch", 35, "a phone posing as a desktop", with_({ "sec-ch-ua-mobile": "?1" })],
	[
		"mobile_mismatch",
		35,
		"a desktop posing as a phone",
		with_({ "sec-ch-ua-mobile": "?0" }, browsers["Chrome on an Android phone"]),
	],
	["sec_fetch_inconsistent", 30, "a navigation", with_({ "sec-fetch-mode": "navigate" })],
	["sec_fetch_inconsistent", 30, "a document", with_({ "sec-fetch-dest": "document" })],
	["sec_fetch_inconsistent", 30, "an image", with_({ "sec-fetch-dest": "image" })],
	["sec_fetch_inconsistent", 30, "no page behind it", with_({ "sec-fetch-site": "none" })],
	["sec_fetch_inconsistent", 30, "a made-up value", with_({ "sec-fetch-site": "cross-origin" })],
	["sec_fetch_inconsistent", 30, "a click", with_({ "sec-fetch-user": "?1" })],
	["sec_fetch_inconsistent", 30, "all but the mode", without(["sec-fetch-mode"])],
	["sec_fetch_inconsistent", 30, "all but the site", without(["sec-fetch-site"])],
	["sec_fetch_inconsistent", 30, "all but the destination", without(["sec-fetch-dest"])],
	[
		"sec_fetch_inconsistent",
		30,
		"all but Firefox's destination",
		without(["sec-fetch-dest"], browsers["Firefox on Linux"]),
	],
	["missing_client_hints", 25, "Chrome without", without(HINTS)],
	["missing_sec_fetch", 25, "Chrome without", without(SEC_FETCH)],
	["missing_sec_fetch", 25, "Firefox without", without(SEC_FETCH, browsers["Firefox on Linux"])],
	["missing_sec_fetch", 25, "Safari without", without(SEC_FETCH, browsers["Safari on iOS"])],
	["missing_accept_language", 20, "none", without(["accept-language"])],
	["missing_accept_language", 20, "empty", with_({ "accept-language": "" })],
	["incomplete_accept_encoding", 15, "none", without(["accept-encoding"])],
	["incomplete_accept_encoding", 15, "gzip alone", with_({ "accept-encoding": "gzip" })],
	["incomplete_accept_encoding", 15, "identity", with_({ "accept-encoding": "identity, *;q=0" })],
];

test("each flag is set alone, with its own weight", () => {
	assert.deepEqual(new Set(flagged.map(([flag]) => flag)), new Set(botFlags.map(({ name }) => name)));
	for (const [flag, score, what, request] of flagged) {
		assert.deepEqual(judge(request), { score, flags: [flag] }, what);
		assert.equal(botFlags.find(({ name }) => name === flag)?.weight, score);
	}
});

test("weights add up to 100 at most", () => {
	assert.deepEqual(judge({ userAgent: "curl/8.5.0", headers: { "accept-encoding": "gzip" } }), {
		score: 100,
		flags: ["known_bot_pattern", "suspicious_user_agent", "missing_accept_language", "incomplete_accept_encoding"],
	});
	assert.deepEqual(judge(without(["accept-language", "accept-encoding"])), {
		score: 35,
		flags: ["missing_accept_language", "incomplete_accept_encoding"],
	});
	assert.equal(botScore(2 ** botFlags.length - 1), 100);
});

test("Chromium 76 to 79 has fetch metadata without a destination", () => {
	const chromium = (version: number) =>
		without(
			[...HINTS, "sec-fetch-dest"],
			agent(
				`Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`,
			),
		);
	assert.equal(judge(chromium(79)).score, 0);
	assert.deepEqual(judge(chromium(80)), { score: 30, flags: ["sec_fetch_inconsistent"] });
});

test("client hints before Chromium 89 and unknown platforms prove nothing", () => {
	const old = agent(
		"Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/88.0.0.0 Safari/537.36",
	);
	assert.equal(judge(without(HINTS, old)).score, 0);
	assert.equal(judge(with_({ "sec-ch-ua-platform": '"Unknown"' })).score, 0);
	assert.equal(judge(with_({ "sec-ch-ua-platform": "" })).score, 0);
	assert.equal(judge(with_({ "sec-ch-ua-mobile": "maybe" })).score, 0);
});
