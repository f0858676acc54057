/** Permitted recipients of mails about a site: its users, and others who agreed. */

export { registerMailRecipients } from "./recipient-routes.ts";
export {
	askStrangers,
	maybeMailed,
	recipientLink,
	type SiteMailDeps,
	type Standing,
	standingsOf,
	type WatchDeps,
} from "./standings.ts";
export { ownerAddresses } from "./store.ts";
