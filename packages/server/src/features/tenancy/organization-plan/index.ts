export { registerOrganizationPlan } from "./routes.ts";
