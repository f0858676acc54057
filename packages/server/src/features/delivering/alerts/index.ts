/** Alerts and goals: rules that watch a site, their incidents and notifications. */

import type { App } from "../../../platform/http/app.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { AlertDeps } from "./deps.ts";
import { evaluateRules } from "./evaluate.ts";
import { passOn, registerPosts } from "./notify.ts";
import { FirstHitCache } from "./read-values.ts";
import { registerAlertRoutes } from "./routes.ts";
import { alertHistory } from "./store.ts";

export { forgetAlerts } from "./store.ts";

/** Alerts are kept for two years. */
const KEPT_MS = 730 * DAY_MS;

/** Routes on alerts, and the work behind them: rules are looked at once a minute, when its hits have had time to be stored. */
export function registerAlerts(app: App, alertDeps: AlertDeps): void {
	const deps = { ...alertDeps, firstHits: new FirstHitCache() };
	registerAlertRoutes(app, deps);
	registerPosts(deps);
	deps.events.listen((event) => passOn(deps, event));
	deps.jobs.schedule("alert-evaluation", "10 * * * * *", () => evaluateRules(deps));
	deps.jobs.schedule("alert-retention", "37 4 * * *", () =>
		alertHistory.drop(deps.metadata, { triggered_at: { "<": deps.clock.now() - KEPT_MS }, open_rule_id: null }),
	);
}
