import {
	checkAmount,
	checkBlocklist,
	checkOrigin,
	checkQuota,
	checkRoom,
	checkToken,
	decode,
	findSite,
} from "./admit-hit.ts";
import { recallClickIds, rememberClickIds } from "./click-id-steps.ts";
import type { CollectContext, CollectStep, Outcome } from "./collect-context.ts";
import type { Hit } from "./hit.ts";
import { checkFlood, identifyVisitor, judgeAgent } from "./judge-hit.ts";
import { keep, makeRows, setBotAside, stampTime } from "./keep-hit.ts";
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
