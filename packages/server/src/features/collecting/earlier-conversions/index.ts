/** Goals of sites, counted in visits of days before they were made. */

export { registerEarlierConversions } from "./routes.ts";
