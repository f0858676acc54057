/** The pages on which people allow apps to read a site. */

export { registerConsentPages } from "./routes.ts";
