/** The address of a caller, as the service sees it. */

export { registerClientAddress } from "./routes.ts";
