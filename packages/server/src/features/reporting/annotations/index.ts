/** Annotations: what people write beside the figures of a day. */

export { registerAnnotations } from "./routes.ts";
