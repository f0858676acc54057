export {
	countAttempt,
	type FailureDeps,
	hasAttempts,
	noteAttempt,
} from "./count-attempt.ts";
