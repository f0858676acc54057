import {
	type ChannelMatch,
	type ChannelTouch,
	compileChannelRules,
} from "../../../analytics/attribution/channel-rules.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { patternFault } from "./check-patterns.ts";
import { defaultRule, ownRule, type Rule, type RuleFields, toChannelRule } from "./rule.ts";
import { listRules } from "./store.ts";

interface AskDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
}

/** A rule as it would be if it were saved and live; with an id it stands for the one that has it. */
export interface TriedRule extends RuleFields {
	readonly id: number;
}

/** A traffic source for the rules. */
interface Question {
	readonly touch: ChannelTouch;
	readonly includeInactive: boolean;
	readonly tried?: TriedRule | undefined;
	/** More visits, for which only the channels are returned. */
	readonly visits?: readonly ChannelTouch[] | undefined;
}

interface RulesAnswer {
	readonly channel: string;
	readonly rule: Rule | null;
	readonly channels: readonly string[] | undefined;
}

/** Says which channel a visit would get, and which rule decides; null = none matches. 422 for the patterns of a tried rule. */
export async function askRules(deps: AskDeps, siteId: string, question: Question): Promise<RulesAnswer> {
	const { touch, includeInactive, tried, visits } = question;
	const stored = (await listRules(deps.metadata, siteId, { includeInactive })).map(ownRule);
	const own = tried === undefined ? stored : withTried(stored, asRule(deps.clock, siteId, tried));
	const asked = own.map((rule) => ({ rule, asked: toChannelRule(rule) }));
	const rules = compileChannelRules(asked.map((one) => one.asked));
	const match = rules(touch);
	const decided = asked.find((one) => one.asked === match.rule)?.rule ?? defaultOf(match);
	return { channel: match.channel, rule: decided, channels: visits?.map((visit) => rules(visit).channel) };
}

const defaultOf = ({ rule }: ChannelMatch): Rule | null =>
	rule === undefined ? null : (defaultRule(rule.priority) ?? null);

function asRule(clock: Clock, siteId: string, tried: TriedRule): Rule {
	const fault = patternFault(tried, "body.rule");
	if (fault !== undefined) throw new ServiceError("validation_error", { detail: [fault] });
	const now = clock.now();
	return { ...tried, siteId, createdAt: now, updatedAt: now };
}

/** On a tie the older rule comes first: a new one stands behind the others, a stored one keeps its place. */
function withTried(stored: readonly Rule[], tried: Rule): readonly Rule[] {
	const older = stored.filter(({ id }) => id < tried.id || tried.id === 0);
	const younger = stored.filter(({ id }) => id > tried.id && tried.id !== 0);
	return [...older, tried, ...younger];
}
