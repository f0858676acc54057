/** What a browser finds at the root of the host. */
export { registerFrontPage } from "./routes.ts";
