export { registerSystem } from "./routes.ts";
