/** Questions that a site may ask in a month. */
export const QUESTIONS_A_MONTH = 100;

/** Requests to the model for one question; with the last one it has to answer. */
export const MAX_ROUNDS = 6;
/** Reports that are read for one question. */
export const MAX_CALLS = 12;
/** Calls that are taken from one answer of the model. */
export const MAX_CALLS_AT_ONCE = 6;
/** Tokens of one question, of all its rounds; beyond them the model has to answer. */
export const MAX_TOKENS = 150_000;
/** Tokens of one answer of the model. */
export const ANSWER_TOKENS = 1500;
/** Characters of the answer that people read. */
export const ANSWER_CHARACTERS = 8000;
/** Characters of the arguments of one call. */
export const ARGUMENT_CHARACTERS = 8192;
/** Characters of a report that the model is given. */
export const RESULT_CHARACTERS = 12_000;
/** Bytes of what the model's endpoint sends. */
export const MODEL_BYTES = 512 * 1024;

/** Messages of a conversation; an answer is one, too. */
export const MESSAGES = 100;
/** Number of earlier messages sent to the model. */
export const REMEMBERED = 10;
/** Conversations that a user keeps about a site; the oldest go. */
export const CONVERSATIONS = 100;
/** How long a conversation is kept after its last answer. */
export const KEPT_DAYS = 90;
