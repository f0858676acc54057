export { settingLabel } from "./setting-fields.ts";
export { useSiteChange } from "./use-site-change.ts";
