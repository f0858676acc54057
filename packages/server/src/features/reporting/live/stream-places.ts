import { ServiceError } from "../../../platform/errors/service-error.ts";

const OF_USER = 5;
const OF_PROCESS = 200;
/** Seconds until another attempt. */
const RETRY_AFTER = 10;

/** How many streams there may be at once. */
export class StreamPlaces {
	readonly #ofUsers = new Map<number, number>();
	#taken = 0;

	/** Takes a place until what it answers is called; throws `rate_limit_exceeded` when there is none. */
	take(userId: number): () => void {
		const own = this.#ofUsers.get(userId) ?? 0;
		if (own >= OF_USER) throw refused(`At most ${OF_USER} live streams of one user at once`);
		if (this.#taken >= OF_PROCESS) throw refused("Too many live streams at once");
		this.#ofUsers.set(userId, own + 1);
		this.#taken += 1;
		let isHeld = true;
		return () => {
			if (!isHeld) return;
			isHeld = false;
			this.#taken -= 1;
			const left = (this.#ofUsers.get(userId) ?? 1) - 1;
			if (left === 0) this.#ofUsers.delete(userId);
			else this.#ofUsers.set(userId, left);
		};
	}
}

const refused = (message: string) => new ServiceError("rate_limit_exceeded", { message, retryAfter: RETRY_AFTER });
