export type { HealthCheck } from "./health-check.ts";
export { type HealthDeps, registerHealth } from "./routes.ts";
