/** Shared links: people without an account read a site's report, on a page of its own or framed by another one. */

export { lookAtLink } from "./open-link.ts";
export { registerShareLinks } from "./routes.ts";
