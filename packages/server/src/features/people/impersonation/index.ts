export { registerImpersonation } from "./routes.ts";
