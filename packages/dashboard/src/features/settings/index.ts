export { NeedsRole } from "./needs-role.tsx";
export { PlanLock, usePlanHas } from "./plan-lock.tsx";
export { settingsScreens } from "./settings-screens.ts";
