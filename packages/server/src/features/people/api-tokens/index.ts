export { addToken, createToken, endTokensOf, revokeToken, revokeTokensOf } from "./change-tokens.ts";
export { presentToken, registerApiTokens } from "./routes.ts";
export { dropEndedTokens, listTokens, type TokenRow } from "./store.ts";
