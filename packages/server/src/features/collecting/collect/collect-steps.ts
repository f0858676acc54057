import type { KeyObject } from "node:crypto";
import { findClickIds } from "../../../analytics/attribution/click-ids.ts";
import { parsePageAddress, parseQuery } from "../../../analytics/attribution/page-address.ts";
import { isAuthorizedHost } from "../../../analytics/attribution/same-site.ts";
import { parseIpAddress } from "../../../platform/lib/ip-address.ts";
import type { CollectContext, CollectStep, Outcome } from "./collect-context.ts";
import type { Hit } from "./hit.ts";
import { readPayload } from "./payload.ts";
import { scoreSuspicion } from "./suspicion.ts";
import { touchSession } from "./touch-session.ts";
import { describeAgent } from "./user-agent.ts";
import { visitorId } from "./visitor-id.ts";

const DAY_MS = 86_400_000;

/** The way of a hit, in order. Hits above the site's bot threshold leave it after `identifyVisitor`. */
export const checkSteps: readonly CollectStep[] = [
	decode,
	findSite,
	checkOrigin,
	checkToken,
	checkBlocklist,
	checkQuota,
	scoreAgent,
	identifyVisitor,
	checkFlood,
];

/** The rest of the way, for hits that count. */
export const bookSteps: readonly CollectStep[] = [recallClickIds, touchSession, rememberClickIds, stampTime];

function decode(hit: Hit, { sites }: CollectContext): Outcome {
	const payload = readPayload(hit.request.body);
	if ("malformed" in payload) {
		hit.site = sites.get(payload.siteId) ?? hit.site;
		return "invalid_json";
	}
	hit.payload = payload;
	return undefined;
}

function findSite(hit: Hit, { sites }: CollectContext): Outcome {
	const site = sites.get(hit.payload.siteId);
	if (site === undefined || !site.isActive) return "invalid_account";
	hit.site = site;
	return undefined;
}

function checkOrigin(hit: Hit): Outcome {
	const page = parsePageAddress(hit.payload.url);
	if (page === undefined) return "invalid_domain";
	hit.page = page;
	return isAuthorizedHost(page.host, hit.site.domains) ? undefined : "invalid_domain";
}

function checkToken(hit: Hit, { tokens }: CollectContext): Outcome {
	return tokens.isValid(hit.site.id, hit.payload.token, hit.request.receivedAt) ? undefined : "invalid_token";
}

function checkBlocklist({ site, request }: Hit): Outcome {
	if (site.blockedAddresses === undefined) return undefined;
	const address = parseIpAddress(request.ip);
	return address && site.blockedAddresses.find(address) && "blocklist_ip";
}

function checkQuota(hit: Hit, { quota }: CollectContext): Outcome | Promise<Outcome> {
	const room = quota.hasRoom(hit.site, hit.request.receivedAt);
	const outcome = (hasRoom: boolean): Outcome => (hasRoom ? undefined : "quota_exceeded");
	return typeof room === "boolean" ? outcome(room) : room.then(outcome);
}

function scoreAgent(hit: Hit): Outcome {
	const { userAgent, headers, secure } = hit.request;
	const suspicion = scoreSuspicion({ agent: describeAgent(userAgent), userAgent, headers, secure });
	hit.score = suspicion.score;
	hit.flags = suspicion.flags;
	return undefined;
}

function identifyVisitor(hit: Hit, { salts }: CollectContext): Outcome | Promise<Outcome> {
	const { receivedAt, ip, userAgent } = hit.request;
	const salt = salts.on(receivedAt);
	if (salt === undefined) return salts.refresh().then(() => identify(salts.on(receivedAt)));
	return identify(salt);

	function identify(today: KeyObject | undefined): Outcome {
		if (today === undefined) throw new Error("there is no salt for this day");
		hit.visitor = visitorId(today, hit.site.id, ip, userAgent);
		hit.previousVisitor = () => {
			const yesterday = salts.on(receivedAt - DAY_MS);
			return yesterday === undefined ? undefined : visitorId(yesterday, hit.site.id, ip, userAgent);
		};
		return undefined;
	}
}

function checkFlood(hit: Hit, { flood }: CollectContext): Outcome {
	return flood.admit(hit.visitor, hit.request.receivedAt) ? undefined : "rate_limit";
}

function recallClickIds(hit: Hit, { sessions }: CollectContext): Outcome | Promise<Outcome> {
	if (hit.page.query === "") return undefined;
	const clickIds = findClickIds(parseQuery(hit.page.query)).map(({ value }) => value);
	if (clickIds.length === 0) return undefined;
	hit.clickIds = clickIds;
	const answers = clickIds.map((id) => sessions.isClickIdSeen(hit.site.id, id, hit.request.receivedAt));
	const keep = (seen: readonly boolean[]): Outcome => {
		hit.seenClickIds = new Set(clickIds.filter((_, index) => seen[index]));
		return undefined;
	};
	const known = answers.filter((answer) => typeof answer === "boolean");
	return known.length === answers.length ? keep(known) : Promise.all(answers).then(keep);
}

function rememberClickIds(hit: Hit, { sessions }: CollectContext): Outcome | Promise<Outcome> {
	if (hit.clickIds.length === 0) return undefined;
	const kept = hit.clickIds.map((id) => sessions.rememberClickId(hit.site.id, id, hit.request.receivedAt));
	return kept.some((done) => done instanceof Promise) ? Promise.all(kept).then(() => undefined) : undefined;
}

/** Published times tell conversions apart, and join items to them, so they are unique a site and kind. */
function stampTime(hit: Hit, { sessions }: CollectContext): Outcome | Promise<Outcome> {
	if (hit.payload.kind === "pageview") return undefined;
	const ts = sessions.uniqueTime(hit.site.id, hit.payload.kind, hit.request.receivedAt);
	const keep = (unique: number): Outcome => {
		hit.ts = unique;
		return undefined;
	};
	return typeof ts === "number" ? keep(ts) : ts.then(keep);
}
