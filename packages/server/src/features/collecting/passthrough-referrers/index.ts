/** Passthrough referrers: domains whose arrivals keep the attribution of the running session. */

export { loadPassthroughRules } from "./load-rules.ts";
export { registerPassthroughReferrers } from "./routes.ts";
