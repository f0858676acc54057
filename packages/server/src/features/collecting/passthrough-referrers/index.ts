/** Passthrough referrers: domains whose arrivals keep the attribution of the running session. */

export { registerPassthroughReferrers } from "./passthrough-referrers.ts";
export { loadPassthroughRules } from "./store.ts";
