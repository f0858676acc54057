/** Blocklists: addresses whose hits a site does not count. The collector knows them through the site directory. */

export { registerBlocklist } from "./blocklist.ts";
