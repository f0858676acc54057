export { addUser } from "./add-user.ts";
export { changeUser } from "./change-user.ts";
export { registerUserAdministration } from "./routes.ts";
