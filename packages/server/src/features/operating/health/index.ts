export { type HealthCheck, HealthFault } from "./health-check.ts";
export { type HealthDeps, lookAtHealth, registerHealth } from "./routes.ts";
export { Checks, OverallStatus } from "./schemas.ts";
