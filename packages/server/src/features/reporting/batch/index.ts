export { registerBatch } from "./routes.ts";
