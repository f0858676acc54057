import type { Readable } from "node:stream";
import type { Caller } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Cancel, Clock } from "../../../platform/lib/clock.ts";
import { closing, type LiveBoard, type LiveChoice, TICK_MS } from "./live-board.ts";
import { LiveStream } from "./live-stream.ts";

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

/** A watcher, and the check whether access is still permitted. */
interface StreamReader {
	readonly caller: Pick<Caller, "userId" | "endsAt">;
	readonly checkAgain: () => Promise<Pick<Caller, "endsAt">>;
}

/** The open streams of this process. Nothing ticks while there are none. */
export class LiveStreams {
	readonly #board: LiveBoard;
	readonly #clock: Clock;
	readonly #places = new StreamPlaces();
	readonly #open = new Set<LiveStream>();
	#stop: Cancel | undefined;
	#isClosed = false;

	constructor(board: LiveBoard, clock: Clock) {
		this.#board = board;
		this.#clock = clock;
	}

	/** Begins a stream once its first figures are there. Throws what they throw, and `rate_limit_exceeded`. */
	async open(choice: LiveChoice, { caller, checkAgain }: StreamReader): Promise<Readable> {
		const free = this.#places.take(caller.userId, choice.organizationId);
		try {
			const stream = new LiveStream({ now: this.#clock.now(), checkAgain, endsAt: caller.endsAt });
			const watch = await this.#board.watch(choice, (figures, hits) => stream.tell(figures, hits));
			this.#add(stream, () => {
				watch.leave();
				free();
			});
			stream.tell(watch.figures, { told: [], skipped: 0 });
			return stream.body;
		} catch (error) {
			free();
			throw error;
		}
	}

	/** Ends all streams; no other begins. */
	close(): void {
		this.#isClosed = true;
		for (const stream of this.#open) stream.end("shutdown");
		this.#stop?.();
		this.#board.close();
	}

	#add(stream: LiveStream, leave: () => void): void {
		if (this.#isClosed) {
			leave();
			throw closing();
		}
		this.#open.add(stream);
		stream.body.once("close", () => {
			leave();
			this.#open.delete(stream);
			if (this.#open.size > 0) return;
			this.#stop?.();
			this.#stop = undefined;
		});
		this.#stop ??= this.#clock.every(TICK_MS, () => this.#tick());
	}

	#tick(): void {
		this.#board.tick();
		const now = this.#clock.now();
		for (const stream of this.#open) stream.tick(now);
	}
}
