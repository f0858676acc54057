/** Channel groups: the rules that give visits their channel. */

export { loadChannelRules } from "./load-channel-rules.ts";
export { registerChannelGroups } from "./routes.ts";
