import type { ConformanceCheck } from "./conformance-tool.ts";

/** Why a check of the conformance tool cannot pass here. */
interface Reason {
	readonly text: string;
	readonly covers: (check: ConformanceCheck) => boolean;
}

const says = (pattern: RegExp) => (check: ConformanceCheck) => pattern.test(check.errorMessage ?? "");
const isOneOf = (...ids: readonly string[]) => {
	const all = new Set(ids);
	return (check: ConformanceCheck) => all.has(check.id);
};

/** Scenarios of features that a server may have, and this one has not. */
const undeclared =
	/^(completion-|logging-|prompts-|resources-|caching$|tools-call-with-logging$|input-required-result-non-tool-)/;

/** Everything that is known to fail; docs/connect.md says the same in words. */
const reasons: readonly Reason[] = [
	{
		text: "calls a tool of the conformance suite's own example server",
		covers: says(/Unknown tool: (test_|slow_|greet)|diagnostic tool 'test_\w+'|no tool with x-mcp-header annotations/),
	},
	{
		text: "follows on from such a tool",
		covers: isOneOf("sep-2322-multi-round-r1", "sep-2322-reject-tampered-state"),
	},
	{
		text: "wants resources, prompts, completion or log levels, which the server does not declare",
		covers: (check) => undeclared.test(check.scenario) && says(/Method not found/)(check),
	},
	{
		text: "wants a stream of changes; the tools never change, so none is offered",
		covers: isOneOf("sep-2575-server-sends-subscription-ack", "sep-2575-server-tags-subscription-id"),
	},
];

/** Why a check fails, as far as that is known. */
export const reasonOf = (check: ConformanceCheck): string | undefined =>
	reasons.find(({ covers }) => covers(check))?.text;
