export { registerQuery } from "./routes.ts";
