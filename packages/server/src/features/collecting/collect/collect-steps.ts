import { findClickIds } from "../../../analytics/attribution/click-ids.ts";
import { isAuthorizedHost } from "../../../analytics/attribution/domain-table.ts";
import { parsePageAddress, parseQuery } from "../../../analytics/attribution/page-address.ts";
import { parseIpAddress } from "../../../platform/lib/ip-address.ts";
import { describeAgent, scoreSuspicion, visitorId } from "../visitors/index.ts";
import { after, all, type CollectContext, type CollectStep, type Outcome } from "./collect-context.ts";
import type { Hit } from "./hit.ts";
import { keep, makeRows, setBotAside, stampTime } from "./keep-hit.ts";
import { readPayload } from "./payload.ts";
import { sightOf } from "./sessions/click-id-memory.ts";
import { checkNewcomer, touchSession } from "./touch-session.ts";

/** The way of a hit, from the request to the disk, in order. */
export const steps: readonly CollectStep[] = [
	checkRoom, // in the spool, else the hit is to be sent again
	decode, // what the tracker sent
	findSite,
	checkOrigin, // the page is one of the site's
	checkToken, // the script came from here
	checkBlocklist,
	checkAmount, // one that can be added to the site's revenue
	checkQuota, // the organization has events left
	judgeAgent, // how much it looks like a program
	identifyVisitor,
	checkFlood, // also of programs: one in a loop must not fill the disk
	setBotAside, // above the site's threshold the way ends here, in the bot statistics
	recallClickIds,
	touchSession, // attribution, and the visit that the hit begins or goes on with
	checkNewcomer, // not too many visits from one address
	rememberClickIds,
	stampTime,
	makeRows,
	keep, // durable before it is answered
];

/** Runs the steps from the `from`-th on until one ends the way; goes asynchronous only where a step does. */
export function walk(hit: Hit, context: CollectContext, from = 0): Outcome | Promise<Outcome> {
	for (let index = from; index < steps.length; index++) {
		const outcome = steps[index]?.(hit, context);
		if (outcome instanceof Promise) return outcome.then((end) => end ?? walk(hit, context, index + 1));
		if (outcome !== undefined) return outcome;
	}
	return undefined;
}

function recallClickIds(hit: Hit, { sessions }: CollectContext): Outcome | Promise<Outcome> {
	if (hit.page.query === "") return undefined;
	const clickIds = findClickIds(parseQuery(hit.page.query)).map(({ value }) => value);
	if (clickIds.length === 0) return undefined;
	hit.clickIds = clickIds;
	const answers = clickIds.map((id) => sessions.isClickIdSeen(hit.site.id, id, hit.request.receivedAt));
	return after(all(answers), (seen): Outcome => {
		hit.seenClickIds = new Set(clickIds.filter((_, index) => seen[index]));
		return undefined;
	});
}

function rememberClickIds(hit: Hit, { sessions }: CollectContext): Outcome | Promise<Outcome> {
	const { clickIds } = hit;
	if (clickIds.length === 0) return undefined;
	const answers = clickIds.map((id) => sessions.noteSight(sightOf(hit.site.id, id, hit.request.receivedAt)));
	return after(all(answers), (noted): Outcome => {
		hit.notedClickIds = clickIds.filter((_, index) => noted[index]);
		return undefined;
	});
}

function judgeAgent(hit: Hit): Outcome {
	const { userAgent, headers, secure } = hit.request;
	const suspicion = scoreSuspicion({ agent: describeAgent(userAgent), userAgent, headers, secure });
	hit.score = suspicion.score;
	hit.flags = suspicion.flags;
	return undefined;
}

function identifyVisitor(hit: Hit, { salts }: CollectContext): Outcome | Promise<Outcome> {
	const { receivedAt, ip, userAgent } = hit.request;
	const known = salts.on(receivedAt);
	return after(known ?? salts.refresh().then(() => salts.on(receivedAt)), (salt): Outcome => {
		if (salt === undefined) throw new Error("there is no salt for this day");
		hit.visitor = visitorId(salt, hit.site.id, ip, userAgent);
		return undefined;
	});
}

function checkFlood(hit: Hit, { flood }: CollectContext): Outcome {
	return flood.admit(hit.visitor, hit.request.receivedAt) ? undefined : "rate_limit";
}

/** Nothing is promised that the disk has no room for. */
function checkRoom(_: Hit, { spool }: CollectContext): Outcome {
	return spool.accepts ? undefined : "unstored";
}

/** Reads what the tracker sent. A body that is no payload is counted under the site that it names all the same. */
function decode(hit: Hit, { sites }: CollectContext): Outcome {
	const { body, isCut } = hit.request;
	const payload = isCut ? { malformed: true, siteId: namedSite(body) } : readPayload(body);
	if ("malformed" in payload) {
		const site = sites.get(payload.siteId);
		if (site !== undefined) hit.site = site;
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

function checkToken({ site, payload, request }: Hit, { tokens }: CollectContext): Outcome {
	return tokens.isValid(site.id, payload.token, request.receivedAt) ? undefined : "invalid_token";
}

function checkBlocklist({ site, request }: Hit): Outcome {
	if (site.blockedAddresses === undefined) return undefined;
	const address = parseIpAddress(request.ip);
	return address && site.blockedAddresses.find(address) && "blocklist_ip";
}

/** Checks that the amount is a number of a likely size in the site's currency: no event is ever taken back. */
function checkAmount(hit: Hit, { maxAmount }: CollectContext): Outcome {
	const { amount, currency } = hit.payload;
	if (amount === 0) return undefined;
	hit.isAmountLost = !(Math.abs(amount) <= maxAmount);
	if (hit.isAmountLost) return undefined;
	hit.amount = amount;
	return currency === "" || currency === hit.site.currency ? undefined : "other_currency";
}

function checkQuota({ site }: Hit, { quota }: CollectContext): Outcome | Promise<Outcome> {
	return after(quota.hasRoom(site), (hasRoom): Outcome => (hasRoom ? undefined : "quota_exceeded"));
}

/** The site that the beginning of a body names before any list or object; empty where it cannot be read. */
function namedSite(beginning: string): string {
	const json = beginning.trimStart().startsWith("{") ? beginning : new URLSearchParams(beginning).get("d");
	return /^\s*\{[^{[]*?"a"\s*:\s*"([^"\\]{1,64})"/.exec(json ?? "")?.[1] ?? "";
}
