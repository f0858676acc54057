export { addUser, changeUser } from "./change-user.ts";
export { registerUserAdministration } from "./routes.ts";
