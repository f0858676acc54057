/** Passthrough referrers: domains whose arrivals keep the attribution of the running session. */

export { loadPassthroughRules, registerPassthroughReferrers } from "./passthrough-referrers.ts";
