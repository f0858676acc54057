import { Readable } from "node:stream";
import type { Caller } from "../../../access/index.ts";
import {
	ACTIVE_MINUTES,
	type LiveFigures,
	type LiveHit,
	type LiveRow,
} from "../../../analytics/query/reports/live-figures.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { statusOf } from "../../../platform/http/error-answers.ts";
import type { Cancel, Clock } from "../../../platform/lib/clock.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { orUndo } from "../../../platform/lib/with-resource.ts";
import { closing, type LiveBoard, type LiveChoice, type NewHits, TICK_MS } from "./live-board.ts";

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
	async open(choice: LiveChoice, reader: StreamReader): Promise<Readable> {
		const free = this.#places.take(reader.caller.userId, choice.organizationId);
		return orUndo(free, async () => {
			const stream = new LiveStream(this.#clock.now(), reader);
			const watch = await this.#board.watch(choice, (figures, hits) => stream.tell(figures, hits));
			this.#add(stream, () => {
				watch.leave();
				free();
			});
			stream.tell(watch.figures, { told: [], skipped: 0 });
			return stream.body;
		});
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

const rows = <Name extends string>(name: Name, list: readonly LiveRow[]) =>
	list.map(
		({ label, visits }) =>
			({ [name]: label, active_visits: visits }) as Record<Name, string> & { active_visits: number },
	);

export const presentFigures = (figures: LiveFigures) => ({
	now: { active_visits: figures.activeVisits, window_minutes: ACTIVE_MINUTES },
	minutes: figures.minutes.map(({ at, pageViews, entrances }) => ({
		at: timestamp(at),
		page_views: pageViews,
		entrances,
	})),
	pages: rows("path", figures.pages),
	sources: rows("source", figures.sources),
	countries: rows("country", figures.countries),
	devices: rows("device", figures.devices),
});

/** One hit, without whose it is. */
const presentHit = ({ at, kind, path, country, device, source, eventType, amount }: LiveHit) => ({
	at: timestamp(at),
	kind,
	path,
	country,
	device,
	source,
	...(kind !== "pageview" && { event_type: eventType }),
	...(kind === "conversion" && { amount }),
});

const KEEP_ALIVE_MS = 15_000;
const CHECK_MS = MINUTE_MS;
/** Milliseconds after which a browser comes back. */
const RETRY_MS = 3000;
/** Most unread bytes of a reader; beyond it hits are skipped until it has caught up. */
const MOST_WAITING = 64 * 1024;

type EndReason = "token" | "access" | "unavailable" | "shutdown";

/** Events sent to one watcher. */
export class LiveStream {
	/** The body of the answer. */
	readonly body = new Readable({ read: () => undefined });
	readonly #checkAgain: StreamReader["checkAgain"];
	#checkAt: number;
	#keepAliveAt: number;
	#isChecking = false;
	#hasEnded = false;
	#skipped = 0;
	#activeVisits: number | undefined;

	constructor(now: number, { caller, checkAgain }: StreamReader) {
		this.#checkAgain = checkAgain;
		this.#checkAt = nextCheck(now, caller.endsAt);
		this.#keepAliveAt = now + KEEP_ALIVE_MS;
		this.#send(`retry: ${RETRY_MS}\n\n`);
	}

	/** Tells what a question answered. */
	tell({ activeVisits }: Pick<LiveFigures, "activeVisits">, { told, skipped }: NewHits): void {
		this.#skipped += skipped;
		if (this.#isBehind) {
			this.#skipped += told.length;
			return;
		}
		if (activeVisits !== this.#activeVisits) this.#event("now", { active_visits: activeVisits });
		this.#activeVisits = activeVisits;
		if (told.length > 0) this.#event("hits", told.map(presentHit));
		if (this.#skipped > 0) this.#event("skipped", { count: this.#skipped });
		this.#skipped = 0;
	}

	/** Keeps the connection open, and ends it when the guard refuses its reader by now; to be called every second. */
	tick(now: number): void {
		if (now >= this.#keepAliveAt) {
			this.#keepAliveAt = now + KEEP_ALIVE_MS;
			if (!this.#isBehind) this.#send(": keep-alive\n\n");
		}
		if (now < this.#checkAt) return;
		if (this.#isChecking) {
			// If access cannot be checked, the stream ends.
			if (now >= this.#checkAt + CHECK_MS) this.end("unavailable");
			return;
		}
		this.#isChecking = true;
		this.#checkAgain().then(
			({ endsAt }) => {
				this.#checkAt = nextCheck(now, endsAt);
				this.#isChecking = false;
			},
			(refusal: unknown) => this.end(reasonOf(refusal)),
		);
	}

	/** Says why it ends; a reader who is far behind is left without a word. */
	end(reason: EndReason): void {
		if (this.#hasEnded) return;
		const isBehind = this.#isBehind;
		this.#event("end", { reason });
		this.#hasEnded = true;
		if (isBehind) this.body.destroy();
		else this.body.push(null);
	}

	get #isBehind(): boolean {
		return this.body.readableLength > MOST_WAITING;
	}

	#event(name: string, data: unknown): void {
		this.#send(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
	}

	#send(text: string): void {
		if (!this.#hasEnded && !this.body.destroyed) this.body.push(text);
	}
}

const nextCheck = (now: number, endsAt: number | null): number => Math.min(now + CHECK_MS, endsAt ?? Infinity);

/** With `token` a client shows another credential and comes back; with `access` there is no use in that. */
function reasonOf(refusal: unknown): EndReason {
	if (!(refusal instanceof ServiceError) || refusal.isOurs) return "unavailable";
	return statusOf(refusal.code) === 401 ? "token" : "access";
}
