export type { StatsDeps } from "./list-report.ts";
export { registerStats } from "./routes.ts";
