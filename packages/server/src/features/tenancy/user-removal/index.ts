export { deleteUser } from "./delete-user.ts";
export { removeUnconfirmedAccounts } from "./remove-unconfirmed.ts";
export { registerAccountClosing } from "./routes.ts";
