/** What a browser finds at the root of the host. */
export { frontPage } from "./front-page.ts";
export { registerFrontPage } from "./routes.ts";
