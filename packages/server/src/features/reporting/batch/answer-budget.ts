import { ServiceError } from "../../../platform/errors/service-error.ts";

/** Limit on the answers of a batch together: all are in memory until its last query has ended. */
const MAX_MB = 64;

/** The room for the answers of one batch. */
export interface AnswerBudget {
	/** Takes the bytes of an answer; `payload_too_large` for one that is beyond the room, and for all after it. */
	take(bytes: number): void;
}

/** An empty room of 64 MB. */
export function createAnswerBudget(): AnswerBudget {
	let left = MAX_MB * 1024 ** 2;
	return {
		take: (bytes) => {
			left -= bytes;
			if (left >= 0) return;
			const message = `The answers of this batch have more than ${MAX_MB} MB: ask for fewer rows, or in several batches`;
			throw new ServiceError("payload_too_large", { message });
		},
	};
}
