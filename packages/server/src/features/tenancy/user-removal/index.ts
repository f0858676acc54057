export { type DeleteUserDeps, deleteUser, registerAccountClosing, removeUnconfirmedAccounts } from "./delete-user.ts";
