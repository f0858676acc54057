/** Figures of the process for Prometheus (text format 0.0.4). */

export { measureRequests, registerMetrics } from "./routes.ts";
export { type MetricsDeps, ServiceMetrics } from "./service-metrics.ts";
