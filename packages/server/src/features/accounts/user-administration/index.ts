export { registerUserAdministration } from "./routes.ts";
