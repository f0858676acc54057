/** IP allowlists: the addresses from which a site may be opened, and who came from where. */

export { type IpAllowlists, openIpAllowlists } from "./open-ip-allowlists.ts";
export { registerIpAllowlist } from "./routes.ts";
