export { countAttempt, type FailureDeps, hasAttempts, noteAttempt } from "./attempt-store.ts";
