/** Annotations of days. */

export { registerAnnotations } from "./routes.ts";
