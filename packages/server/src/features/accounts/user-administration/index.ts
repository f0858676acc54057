export { addUser } from "./add-user.ts";
export { registerUserAdministration } from "./routes.ts";
