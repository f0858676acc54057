import { after } from "./after.ts";
import type { CollectContext, Outcome } from "./collect-context.ts";
import type { Hit } from "./hit.ts";
import { scoreSuspicion } from "./suspicion.ts";
import { describeAgent } from "./user-agent.ts";
import { visitorId } from "./visitor-id.ts";

/** Says by user agent and headers how much the hit looks like one of a program. */
export function judgeAgent(hit: Hit): Outcome {
	const { userAgent, headers, secure } = hit.request;
	const suspicion = scoreSuspicion({ agent: describeAgent(userAgent), userAgent, headers, secure });
	hit.score = suspicion.score;
	hit.flags = suspicion.flags;
	return undefined;
}

/** Derives the visitor's id of the day. */
export function identifyVisitor(hit: Hit, { salts }: CollectContext): Outcome | Promise<Outcome> {
	const { receivedAt, ip, userAgent } = hit.request;
	const known = salts.on(receivedAt);
	return after(known ?? salts.refresh().then(() => salts.on(receivedAt)), (salt): Outcome => {
		if (salt === undefined) throw new Error("there is no salt for this day");
		hit.visitor = visitorId(salt, hit.site.id, ip, userAgent);
		return undefined;
	});
}

/** The visitor sends no more hits a minute than a person can. */
export function checkFlood(hit: Hit, { flood }: CollectContext): Outcome {
	return flood.admit(hit.visitor, hit.request.receivedAt) ? undefined : "rate_limit";
}
