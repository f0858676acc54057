/** Rules of a site about referrers: its own names for domains, and domains that keep the attribution of the running session. */

export { registerReferrerRules } from "./referrer-rules.ts";
