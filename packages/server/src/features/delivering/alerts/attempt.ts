import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { AlertDeps } from "./deps.ts";
import type { Rule } from "./rule.ts";

/** Does what one rule calls for. When it fails, the other rules go on, and the next look tries again. */
export async function attempt(
	{ log }: Pick<AlertDeps, "log">,
	{ id }: Pick<Rule, "id">,
	work: () => Promise<unknown>,
): Promise<void> {
	try {
		await work();
	} catch (error) {
		log.error({ rule: id, cause: describeCause(error) }, "The result of an alert rule could not be stored");
	}
}
