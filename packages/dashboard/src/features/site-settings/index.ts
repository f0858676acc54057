export { useSiteChange } from "./use-site-change.ts";
