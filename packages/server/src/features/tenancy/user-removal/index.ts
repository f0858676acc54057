export { deleteUser, removeUnconfirmedAccounts } from "./delete-user.ts";
export { registerAccountClosing } from "./routes.ts";
