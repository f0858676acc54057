import type { Readable } from "node:stream";
import type { Caller } from "../../../access/index.ts";
import type { Cancel, Clock } from "../../../platform/lib/clock.ts";
import { closing, type LiveBoard, type LiveChoice, TICK_MS } from "./live-board.ts";
import { LiveStream } from "./live-stream.ts";
import { StreamPlaces } from "./stream-places.ts";

/** A watcher, and the check whether access is still permitted. */
export interface StreamReader {
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
