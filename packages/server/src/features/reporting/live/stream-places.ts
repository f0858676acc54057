import { ServiceError } from "../../../platform/errors/service-error.ts";

const OF_USER = 5;
const OF_ORGANIZATION = 50;
const OF_PROCESS = 200;
/** Seconds until another attempt. */
const RETRY_AFTER = 10;

/** The limits on live streams at once. */
export class StreamPlaces {
	readonly #taken = new Map<string, number>();

	/** Takes a place until what it answers is called; throws `rate_limit_exceeded` when there is none. */
	take(userId: number, organizationId: string): () => void {
		const shares = [
			{ of: `user ${userId}`, max: OF_USER, message: `At most ${OF_USER} live streams of one user at once` },
			{
				of: `organization ${organizationId}`,
				max: OF_ORGANIZATION,
				message: `At most ${OF_ORGANIZATION} live streams of one organization at once`,
			},
			{ of: "process", max: OF_PROCESS, message: "Too many live streams at once" },
		];
		for (const { of, max, message } of shares) {
			if (this.#count(of) < max) continue;
			throw new ServiceError("rate_limit_exceeded", { message, retryAfter: RETRY_AFTER });
		}
		for (const { of } of shares) this.#taken.set(of, this.#count(of) + 1);
		let isHeld = true;
		return () => {
			if (!isHeld) return;
			isHeld = false;
			for (const { of } of shares) {
				const left = this.#count(of) - 1;
				if (left === 0) this.#taken.delete(of);
				else this.#taken.set(of, left);
			}
		};
	}

	#count(of: string): number {
		return this.#taken.get(of) ?? 0;
	}
}
