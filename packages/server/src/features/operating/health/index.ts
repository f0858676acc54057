export { type HealthCheck, HealthFault } from "./health-check.ts";
export { Checks, type HealthDeps, lookAtHealth, OverallStatus, registerHealth, requestFacts } from "./routes.ts";
