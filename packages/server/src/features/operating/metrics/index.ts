/** Figures of the process for Prometheus (text format 0.0.4). */

export type { MetricsDeps } from "./metrics-deps.ts";
export { measureRequests, registerMetrics } from "./routes.ts";
export { ServiceMetrics } from "./service-metrics.ts";
