export {
	countTokenAttempt,
	countTokenFailure,
	endOneTimeTokens,
	findOneTimeToken,
	issueOneTimeToken,
	takeOneTimeToken,
} from "./token-store.ts";
