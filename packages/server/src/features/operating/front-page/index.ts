/** The page at the root of the host. */
export { frontPage, registerFrontPage } from "./routes.ts";
