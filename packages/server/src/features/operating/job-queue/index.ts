export { registerJobQueue } from "./routes.ts";
