export { countTokenAttempt } from "./count-token-attempt.ts";
export {
	countTokenFailure,
	endOneTimeTokens,
	findOneTimeToken,
	issueOneTimeToken,
	takeOneTimeToken,
} from "./one-time-tokens.ts";
