export { putOnPlan, registerOrganizationPlan } from "./change-plan.ts";
export { planAt } from "./store.ts";
