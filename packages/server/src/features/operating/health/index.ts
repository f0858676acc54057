export { type HealthCheck, HealthFault, type HealthNote } from "./health-check.ts";
export { Checks, type HealthDeps, lookAtHealth, OverallStatus, registerHealth, requestFacts } from "./routes.ts";
