/** Annotations of days. */

export { registerAnnotations } from "./annotations.ts";
