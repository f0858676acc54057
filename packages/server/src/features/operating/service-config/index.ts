export { registerServiceConfig, type ServiceConfig } from "./routes.ts";
