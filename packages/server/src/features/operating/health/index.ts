export { type HealthCheck, HealthFault } from "./health-check.ts";
export { type HealthDeps, registerHealth } from "./routes.ts";
