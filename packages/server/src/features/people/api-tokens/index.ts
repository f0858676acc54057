export { addToken, createToken } from "./create-token.ts";
export { endTokensOf, revokeTokensOf } from "./end-tokens.ts";
export { presentToken } from "./present.ts";
export { revokeToken } from "./revoke-token.ts";
export { registerApiTokens } from "./routes.ts";
export { dropEndedTokens, listTokens, type TokenRow } from "./store.ts";
