export { deleteUser, type UserDeletion } from "./delete-user.ts";
export { removeUnconfirmedAccounts } from "./remove-unconfirmed.ts";
