import type { Clock } from "../../../platform/lib/clock.ts";
import type { SiteFacts } from "../../tenancy/sites/index.ts";
import { issueToken } from "../collect/index.ts";
import { fillIn, type Trackers } from "./fill-in.ts";

/** A token is issued for each full hour, so the script of a site, and its ETag, stays the same for an hour. */
const TOKEN_STEP_MS = 60 * 60 * 1000;

interface ScriptDeps {
	readonly clock: Clock;
	readonly secret: string;
	readonly trackers: Trackers;
}

interface ScriptOptions {
	/** Address of the service. */
	readonly root: string;
	readonly group: string;
	readonly auto: boolean;
	readonly spa: boolean;
	/** Automatic events that the page asks for. */
	readonly events: readonly string[];
}

/** The tracker of one site. */
export function scriptOf(deps: ScriptDeps, site: SiteFacts, options: ScriptOptions): string {
	const now = deps.clock.now();
	return fillIn(deps.trackers(options.events), {
		FOOTFALL_ID: site.id,
		FOOTFALL_TOKEN: issueToken(deps.secret, site.id, now - (now % TOKEN_STEP_MS)),
		FOOTFALL_ROOT: options.root.endsWith("/") ? options.root : `${options.root}/`,
		FOOTFALL_GROUP: options.group,
		FOOTFALL_AUTO: options.auto,
		FOOTFALL_SPA: options.spa,
	});
}
