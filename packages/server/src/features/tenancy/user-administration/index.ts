export { addUser, changeUser, registerUserAdministration } from "./routes.ts";
