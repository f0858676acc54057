export {
	countTokenAttempt,
	countTokenFailure,
	endOneTimeTokens,
	findOneTimeToken,
	issueOneTimeToken,
	takeOneTimeToken,
} from "./one-time-tokens.ts";
