export { registerQuery } from "./routes.ts";
export { queryDimensions, queryMetrics } from "./vocabulary.ts";
