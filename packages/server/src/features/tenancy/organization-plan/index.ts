export { putOnPlan } from "./change-plan.ts";
export { registerOrganizationPlan } from "./routes.ts";
export { planAt } from "./store.ts";
