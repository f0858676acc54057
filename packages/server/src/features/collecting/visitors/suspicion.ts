import type { IncomingHttpHeaders } from "node:http";
import { type BotFlag, botFlagBits, botScore } from "../../../analytics/model/bot-flags.ts";
import type { PlatformFamily } from "./browser-engine.ts";
import type { Agent } from "./user-agent.ts";

/** A request as far as its sender can be judged by it. */
interface SuspicionInput {
	readonly agent: Agent;
	readonly userAgent: string | undefined;
	readonly headers: IncomingHttpHeaders;
	/** True when the browser spoke https, be it to a proxy in front of the service. */
	readonly secure: boolean;
}

interface Suspicion {
	/** 0-100. */
	readonly score: number;
	/** Bit set of flags, bit n = the n-th of `botFlags`. */
	readonly flags: number;
}

/** First Chromium with client hints, as a browser and as an app's embedded view. */
const CLIENT_HINTS_SINCE = 89;
const CLIENT_HINTS_IN_WEBVIEW_SINCE = 116;

/** Chromium says from here on what a request is for; from 76 on it sent the rest (W3C Fetch Metadata, `Sec-Fetch-Dest`). */
const FETCH_DEST_SINCE = 80;

const FETCH_SITES: ReadonlySet<string> = new Set(["same-origin", "same-site", "cross-site"]);
const FETCH_MODES: ReadonlySet<string> = new Set(["no-cors", "cors", "same-origin"]);

const hintedPlatforms: ReadonlyMap<string, PlatformFamily> = new Map([
	["Windows", "windows"],
	["macOS", "macos"],
	["iOS", "ios"],
	["Android", "android"],
	["Chrome OS", "chromeos"],
	["Chromium OS", "chromeos"],
	["ChromeOS", "chromeos"],
	["Linux", "linux"],
]);

/** When each flag is set. The first four judge the user agent, the others the headers beside it. */
const signs: Readonly<Record<BotFlag, (input: SuspicionInput, isBlank: boolean) => boolean>> = {
	empty_user_agent: (_, isBlank) => isBlank,
	known_bot_pattern: ({ agent }, isBlank) => !isBlank && agent.isBotPattern,
	headless_user_agent: ({ agent }, isBlank) => !isBlank && agent.isHeadless,
	suspicious_user_agent: ({ agent }, isBlank) => !isBlank && agent.engine.isSuspicious,
	platform_mismatch: contradictsPlatform,
	mobile_mismatch: contradictsMobile,
	sec_fetch_inconsistent: hasImpossibleFetch,
	missing_client_hints: ({ agent: { engine }, headers, secure }) =>
		secure &&
		engine.chromium >= (engine.isWebView ? CLIENT_HINTS_IN_WEBVIEW_SINCE : CLIENT_HINTS_SINCE) &&
		headers["sec-ch-ua"] === undefined,
	missing_sec_fetch: ({ agent, headers, secure }) =>
		secure && agent.engine.sendsFetchMetadata && !hasFetchMetadata(headers),
	missing_accept_language: ({ headers }) => isBlankText(headers["accept-language"]),
	incomplete_accept_encoding: ({ headers }) => !isBrowserEncoding(headers["accept-encoding"]),
};

// In the order above.
const signList = Object.entries(signs).map(([name, isSet]) => ({ bit: botFlagBits[name as BotFlag], isSet }));

const judgedByAgent = signList.slice(0, 4);

/** Judges a hit by its user agent and headers, without regard to what other hits did. */
export const scoreSuspicion = (input: SuspicionInput): Suspicion => score(signList, input);

/** Judges by the user agent alone, where nothing else is known of a request. */
export const scoreAgent = (agent: Agent, userAgent: string): Suspicion =>
	score(judgedByAgent, { agent, userAgent, headers: {}, secure: false });

function score(list: typeof signList, input: SuspicionInput): Suspicion {
	const isBlank = isBlankText(input.userAgent);
	let flags = 0;
	for (const { bit, isSet } of list) {
		if (isSet(input, isBlank)) flags |= bit;
	}
	return { score: flags === 0 ? 0 : botScore(flags), flags };
}

function isBlankText(value: string | undefined): boolean {
	return value === undefined || value.trim() === "";
}

function contradictsPlatform({ agent, headers }: SuspicionInput): boolean {
	const hint = single(headers["sec-ch-ua-platform"]);
	if (hint === undefined) return false;
	const hinted = hintedPlatforms.get(hint.replaceAll('"', "").trim());
	const { platform } = agent.engine;
	if (hinted === undefined || platform === "other" || hinted === platform) return false;
	// Android headsets and docked phones present a Linux desktop in the user agent alone.
	return !(hinted === "android" && platform === "linux");
}

function contradictsMobile({ agent, headers }: SuspicionInput): boolean {
	const hint = single(headers["sec-ch-ua-mobile"]);
	if (hint !== "?0" && hint !== "?1") return false;
	return (hint === "?1") !== agent.engine.isMobile;
}

function hasFetchMetadata(headers: IncomingHttpHeaders): boolean {
	return (
		headers["sec-fetch-site"] !== undefined ||
		headers["sec-fetch-mode"] !== undefined ||
		headers["sec-fetch-dest"] !== undefined
	);
}

/** Fetch metadata that no script in a page can cause: a navigation or subresource, a request without a page, or only a part. */
function hasImpossibleFetch({ agent, headers }: SuspicionInput): boolean {
	if (headers["sec-fetch-user"] !== undefined) return true;
	if (!hasFetchMetadata(headers)) return false;
	const dest = headers["sec-fetch-dest"];
	const { chromium } = agent.engine;
	const mayLackDest = chromium > 0 && chromium < FETCH_DEST_SINCE;
	return (
		!FETCH_SITES.has(single(headers["sec-fetch-site"]) ?? "") ||
		!FETCH_MODES.has(single(headers["sec-fetch-mode"]) ?? "") ||
		(dest === undefined ? !mayLackDest : dest !== "empty")
	);
}

function isBrowserEncoding(value: string | string[] | undefined): boolean {
	const offered = single(value)?.toLowerCase() ?? "";
	if (/\b(?:br|zstd)\b/.test(offered)) return true;
	return /\bgzip\b/.test(offered) && /\bdeflate\b/.test(offered);
}

function single(value: string | string[] | undefined): string | undefined {
	return Array.isArray(value) ? value[0] : value;
}
