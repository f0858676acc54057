/** The `data` of an envelope; lists answer without one. */
export const withoutEnvelope = (answer: unknown): unknown =>
	typeof answer === "object" && answer !== null && "success" in answer && "data" in answer ? answer.data : answer;
