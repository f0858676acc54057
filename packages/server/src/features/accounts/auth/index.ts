export { deactivateUser } from "./deactivate-user.ts";
export { createFirstRunLink } from "./first-run.ts";
export { replacePassword } from "./replace-password.ts";
export { registerAuth } from "./routes.ts";
export { registerSetup } from "./setup-routes.ts";
