/** The pages behind the links of mails. */
export { registerLinkPages } from "./routes.ts";
