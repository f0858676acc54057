export { type DeleteUserDeps, deleteUser, removeUnconfirmedAccounts } from "./delete-user.ts";
export { registerAccountClosing } from "./routes.ts";
