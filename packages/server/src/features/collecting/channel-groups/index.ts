/** Channel groups: the rules that give visits their channel. */

export { registerChannelGroups } from "./routes.ts";
