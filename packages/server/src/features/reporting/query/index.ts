export { registerQuery } from "./routes.ts";
export { queryDimensions } from "./vocabulary.ts";
