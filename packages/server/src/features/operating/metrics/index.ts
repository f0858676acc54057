/** Figures of the process for Prometheus (text format 0.0.4). */

export { type MetricsDeps, measureRequests, registerMetrics, ServiceMetrics } from "./service-metrics.ts";
