export {
	addToken,
	createToken,
	endTokensOf,
	presentToken,
	registerApiTokens,
	revokeToken,
	revokeTokensOf,
} from "./routes.ts";
export { dropEndedTokens, listTokens, type TokenRow } from "./store.ts";
