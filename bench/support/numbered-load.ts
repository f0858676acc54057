import { connect, type Socket } from "node:net";
import type { HitTarget } from "./hits.ts";
import { numberedHit, numberedRequest } from "./numbered-hits.ts";

/** Result of a load so far. */
export interface LoadResult {
	/** Hits that were begun: their numbers are below this. */
	readonly sent: number;
	/** Those that were answered 204; empty when they were only counted. */
	readonly acknowledged: readonly number[];
	/** How often each other answer came, by its status. */
	readonly refused: ReadonlyMap<number, number>;
}

interface LoadOptions {
	readonly target: HitTarget;
	readonly connections: number;
	/** Hits a second; as many as are answered when absent. */
	readonly rate?: number;
	readonly visitors: number;
	/** Counts the acknowledged hits without their numbers, which take 8 bytes each. */
	readonly onlyCounts?: true;
}

const RETRY_MS = 25;
const TICK_MS = 20;
/** Hits that an interruption has held up and that are sent in a burst at its end, at most. */
const MAX_BURST = 50;
/** How long the last answers are waited for. */
const LAST_ANSWERS_MS = 30_000;

/**
 * Sends numbered hits, each once, over connections that it opens again when they break, and notes which were acknowledged.
 * A hit without an answer, or with another one than 204, is not sent again.
 */
export class NumberedLoad {
	readonly #options: LoadOptions;
	readonly #acknowledged: number[] = [];
	readonly #refused = new Map<number, number>();
	readonly #idle: Socket[] = [];
	readonly #busy = new Set<Socket>();
	#port: number | undefined;
	#opening = 0;
	#sent = 0;
	#acknowledgedCount = 0;
	#credit = 0;
	#tickedAt = performance.now();
	#isPaused = true;
	#timer: NodeJS.Timeout | undefined;

	constructor(options: LoadOptions) {
		this.#options = options;
	}

	/** How many hits were acknowledged. */
	get acknowledged(): number {
		return this.#acknowledgedCount;
	}

	/** How many hits were begun. */
	get sent(): number {
		return this.#sent;
	}

	/** How many hits were answered with this status. */
	refused(status: number): number {
		return this.#refused.get(status) ?? 0;
	}

	/** Sends to this port from now on. */
	aim(port: number): void {
		this.#port = port;
		this.#isPaused = false;
		this.#tickedAt = performance.now();
		this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
	}

	/** Resolves when no hit is on its way; none is sent until the next `aim`. */
	async pause(): Promise<void> {
		this.#isPaused = true;
		const end = performance.now() + LAST_ANSWERS_MS;
		while (this.#busy.size > 0 && performance.now() < end) await new Promise((done) => setTimeout(done, TICK_MS));
		for (const socket of this.#busy) socket.destroy();
	}

	/** Takes a number for a hit that somebody else sends; `answered` gets the result. */
	lend(): { readonly request: Buffer; answered(status: number): void } {
		const number = this.#sent++;
		const hit = numberedHit(number, this.#options.visitors);
		return {
			request: numberedRequest(this.#options.target, hit),
			answered: (status) => this.#note(number, status),
		};
	}

	/** Ends it. */
	async stop(): Promise<LoadResult> {
		await this.pause();
		clearInterval(this.#timer);
		for (const socket of this.#idle) socket.destroy();
		return { sent: this.#sent, acknowledged: this.#acknowledged, refused: this.#refused };
	}

	#tick(): void {
		const now = performance.now();
		const { rate = Number.POSITIVE_INFINITY, connections } = this.#options;
		this.#credit = Math.min(this.#credit + (rate * (now - this.#tickedAt)) / 1000, MAX_BURST);
		this.#tickedAt = now;
		if (this.#isPaused) return;
		while (this.#idle.length + this.#busy.size + this.#opening < connections) this.#open();
		this.#sendWaiting();
	}

	#sendWaiting(): void {
		while (!this.#isPaused && (this.#options.rate === undefined || this.#credit >= 1)) {
			const socket = this.#idle.pop();
			if (socket === undefined) return;
			this.#credit--;
			this.#send(socket);
		}
	}

	#open(): void {
		if (this.#port === undefined) return;
		this.#opening++;
		const socket = connect({ port: this.#port, host: "127.0.0.1", noDelay: true });
		let isOpening = true;
		const opened = () => {
			if (isOpening) this.#opening--;
			isOpening = false;
		};
		socket.once("connect", () => {
			opened();
			this.#idle.push(socket);
			this.#sendWaiting();
		});
		socket.on("error", () => undefined);
		socket.once("close", () => {
			// A refused connection is not tried again at once.
			if (isOpening) setTimeout(opened, RETRY_MS);
			const at = this.#idle.indexOf(socket);
			if (at !== -1) this.#idle.splice(at, 1);
		});
	}

	#send(socket: Socket): void {
		const lent = this.lend();
		this.#busy.add(socket);
		sendRequest(socket, lent.request, (status) => {
			this.#busy.delete(socket);
			if (status !== undefined) lent.answered(status);
			// An answer other than 204 has a body, which is not read here.
			if (status !== 204) {
				socket.destroy();
				return;
			}
			this.#idle.push(socket);
			this.#sendWaiting();
		});
	}

	#note(number: number, status: number): void {
		if (status !== 204) {
			this.#refused.set(status, this.refused(status) + 1);
			return;
		}
		this.#acknowledgedCount++;
		if (this.#options.onlyCounts !== true) this.#acknowledged.push(number);
	}
}

/** Sends one request; tells the status of the answer, or undefined when the connection ended without one. */
function sendRequest(socket: Socket, request: Buffer, done: (status: number | undefined) => void): void {
	let head = "";
	const finish = (status: number | undefined) => {
		socket.off("data", onData).off("close", onClose);
		done(status);
	};
	const onClose = () => finish(undefined);
	const onData = (chunk: Buffer) => {
		head += chunk.toString("latin1");
		if (head.includes("\r\n\r\n")) finish(Number(head.slice(9, 12)));
	};
	socket.on("data", onData).on("close", onClose);
	socket.write(request);
}
