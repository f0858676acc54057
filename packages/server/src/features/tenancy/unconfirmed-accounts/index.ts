export { removeUnconfirmedAccounts } from "./remove-unconfirmed.ts";
