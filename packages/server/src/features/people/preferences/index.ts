export { registerPreferences } from "./routes.ts";
export { forgetPreferences, languageOf } from "./store.ts";
