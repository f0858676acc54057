export { registerPreferences } from "./routes.ts";
export { forgetPreferences } from "./store.ts";
