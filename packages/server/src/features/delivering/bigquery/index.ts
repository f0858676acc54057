/** BigQuery: the figures of sites, by the day, in tables of their owners. */

export { registerBigQuery } from "./routes.ts";
