import { createIsbotFromList, list } from "isbot";
import UAParser from "my-ua-parser";
import { copyText } from "../../../analytics/attribution/page-address.ts";
import { LruMap } from "../../../platform/lib/lru-map.ts";
import { type BrowserEngine, browserEngine } from "./browser-engine.ts";

export interface Agent {
	readonly device: "desktop" | "mobile" | "tablet";
	/** Name without version; `Unknown` when not recognized. */
	readonly browser: string;
	readonly os: string;
	readonly isBotPattern: boolean;
	readonly isHeadless: boolean;
	readonly engine: BrowserEngine;
}

/** Longer user agents are cut before anything else happens to them. */
const MAX_USER_AGENT = 1000;
/** The parser's expressions are not linear; real user agents end well before this. */
const MAX_PARSED = 400;
/** On this the parser's search for an app's version takes time by the cube of the length. */
const UNCLOSED_APP = /naver\([^)]*$/i;
const UNKNOWN = "Unknown";

/** Browsers that people know under another name than the parser's. */
const browserNames: Readonly<Record<string, string>> = {
	"Mobile Safari": "Safari",
	"Chrome WebView": "Chrome",
	"Chrome Headless": "Chrome",
	"Mobile Chrome": "Chrome",
	"Mobile Firefox": "Firefox",
	"Firefox Focus": "Firefox",
	"Firefox Reality": "Firefox",
	IE: "Internet Explorer",
	IEMobile: "Internet Explorer",
	"Opera Mobi": "Opera",
	"Opera Touch": "Opera",
	"Opera Coast": "Opera",
	"Opera GX": "Opera",
	"Opera Tablet": "Opera",
	UCBrowser: "UC Browser",
	Yandex: "Yandex Browser",
	QQBrowser: "QQ Browser",
	GSA: "Google App",
	KAKAOTALK: "KakaoTalk",
	NAVER: "Naver",
	// An app's embedded view on iOS that does not name itself.
	WebKit: "Safari",
};

/** Operating systems that people know under another name than the parser's. */
const osNames: Readonly<Record<string, string>> = {
	"Mac OS": "macOS",
	"Chromium OS": "ChromeOS",
	"Chrome OS": "ChromeOS",
	"Android-x86": "Android",
	KAIOS: "KaiOS",
	"Windows Mobile": "Windows Phone",
};

/** Distributions and desktop systems that count as Linux. */
const LINUX_FAMILY =
	/^(?:Arch|CentOS|Debian|Deepin|elementary OS|Fedora|Gentoo|GNU|Joli|k?x?l?ubuntu|Linpus|Linspire|Linux|Mageia|Mandriva|Manjaro|Mint|PCLinuxOS|Raspbian|Red ?Hat|Sabayon|Slackware|SUSE|Ubuntu|VectorLinux|Zenwalk)$/i;

const HEADLESS =
	/headless|phantomjs|slimerjs|casperjs|selenium|webdriver|puppeteer|playwright|cypress\/|testcafe|nightmarejs|htmlunit|zombie\.js/i;
const HEADLESS_IN_LIST = /^(?:headless|phantomjs|selenium|playwright|cypress\/)$/;
const isCrawler = createIsbotFromList(list.filter((pattern) => !HEADLESS_IN_LIST.test(pattern)));

/** A complete user agent of a browser on Android, and the name of its device. Bots name themselves elsewhere in it. */
const ANDROID_DEVICE =
	/^Mozilla\/5\.0 \(Linux; (?:U; )?Android [\d.]+; (?:[a-z]{2}(?:[-_][a-z]{2})?; )?([^;()/@+]+?)( Build\/[^;()]*)?(?:; wv)?\) AppleWebKit\/.*\bSafari\/\d/i;

/** Names of devices that are sold may hold a word by which programs are known: `M bot 60`, `ScanPal EDA51`. */
function isProgram(text: string): boolean {
	if (!isCrawler(text)) return false;
	const [, device, build] = ANDROID_DEVICE.exec(text) ?? [];
	// A single word without a number may as well be a program's that poses as a device.
	if (device === undefined || (build === undefined && !/[\d _-]/.test(device))) return true;
	// Apps name the device once more behind the browser, with other signs between its words.
	const anySpelling = device.split(/[ _-]/).map(RegExp.escape).join("[ _-]");
	return isCrawler(text.replace(new RegExp(anySpelling, "gi"), "K"));
}

const TABLET = /ipad|tablet|playbook|silk(?!.*mobile)|kindle|\bkf[a-z]{2,5}\b|sm-t\d|\bnexus (?:7|9|10)\b/i;
const MOBILE = /mobi|iphone|ipod|windows phone|blackberry|bb10|opera mini|iemobile|kaios|symbian|webos(?!.*tv)/i;
const LARGE_SCREEN =
	/smart-?tv|hbbtv|appletv|googletv|android tv|bravia|aft[a-z]{1,3}\b|crkey|web0s|tizen.*tv|oculusbrowser|quest \d/i;

const parser = new UAParser();
// At least half of them are the latest ones, and thousands of browsers take turns.
const known = new LruMap<string, Agent>(50_000);
const families = new LruMap<string, Agent>(10_000);

/** A version, and the numbers behind its second: nothing that is said of a browser depends on them. */
const VERSION = /(\d\.\d+)((?:\.\d+)+)/g;

/** The same for all builds of a browser. Of other programs what they are may hang on a single digit. */
function familyOf(userAgent: string): string {
	if (!userAgent.startsWith("Mozilla/5.0 (")) return userAgent;
	return userAgent.replace(VERSION, (_, version: string, build: string) => version + build.replace(/\d+/g, "0"));
}

/** Describes a user agent; answers are remembered, up to 50,000. Never throws, whatever the text. */
export function describeAgent(userAgent: string): Agent {
	// A copy, as a part of a text keeps the whole alive.
	const key = userAgent.length > MAX_USER_AGENT ? copyText(userAgent.slice(0, MAX_USER_AGENT)) : userAgent;
	const remembered = known.get(key);
	if (remembered !== undefined) return remembered;
	// Builds make thousands of agents of the few browsers that there are, and to read one costs as much as ten hits.
	const family = familyOf(key);
	const agent = families.get(family) ?? describe(key);
	families.set(family, agent);
	known.set(key, agent);
	return agent;
}

function describe(text: string): Agent {
	parser.setUA(text.slice(0, MAX_PARSED).replace(UNCLOSED_APP, ""));
	const isHeadless = HEADLESS.test(text);
	return {
		device: deviceOf(text),
		browser: nameOf(parser.getBrowser().name, browserNames),
		os: osName(parser.getOS().name),
		isBotPattern: isProgram(isHeadless ? text.replace(HEADLESS, "") : text),
		isHeadless,
		engine: browserEngine(text),
	};
}

function deviceOf(text: string): Agent["device"] {
	if (LARGE_SCREEN.test(text)) return "desktop";
	if (TABLET.test(text)) return "tablet";
	if (MOBILE.test(text)) return "mobile";
	// Android tablets differ from phones by the missing word "Mobile" (Chromium's own convention).
	return /android/i.test(text) ? "tablet" : "desktop";
}

function nameOf(name: string | undefined, usual: Readonly<Record<string, string>>): string {
	if (name === undefined || name === "") return UNKNOWN;
	return usual[name] ?? name;
}

function osName(name: string | undefined): string {
	return name !== undefined && LINUX_FAMILY.test(name) ? "Linux" : nameOf(name, osNames);
}
