import { copyText } from "../../../analytics/attribution/page-address.ts";
import { LruMap } from "../../../platform/lib/lru-map.ts";
import { type Agent, describeAgent, scoreAgent } from "../collect/index.ts";

/** A user agent with what it says of the browser and how much it looks like a program. */
export interface JudgedAgent {
	readonly agent: Agent;
	readonly score: number;
	readonly flags: number;
}

const REMEMBERED = 20_000;

/** Judges user agents; the last ones are remembered. */
export function judgedAgents(): (userAgent: string) => JudgedAgent {
	const known = new LruMap<string, JudgedAgent>(REMEMBERED);
	return (userAgent) => {
		const before = known.get(userAgent);
		if (before !== undefined) return before;
		// A copy, as a part of a text keeps the whole alive.
		const text = copyText(userAgent);
		const agent = describeAgent(text);
		const judged = { agent, ...scoreAgent(agent, text) };
		known.set(text, judged);
		return judged;
	};
}
