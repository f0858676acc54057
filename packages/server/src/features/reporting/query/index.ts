export { registerQuery } from "./routes.ts";
export { queryDimensions, queryMetrics } from "./schemas.ts";
