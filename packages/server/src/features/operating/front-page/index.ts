/** The page at the root of the host. */
export { frontPage } from "./front-page.ts";
export { registerFrontPage } from "./routes.ts";
