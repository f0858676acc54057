export { registerMembers } from "./routes.ts";
