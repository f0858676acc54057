/** IP allowlists: addresses from which a site may be opened, and recent visits. */

export { type IpAllowlists, openIpAllowlists } from "./open-ip-allowlists.ts";
export { registerIpAllowlist } from "./routes.ts";
