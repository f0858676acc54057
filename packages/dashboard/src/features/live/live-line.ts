import { call } from "../../api/client.ts";
import { asFailure } from "../../lib/failure.ts";
import { withLock } from "../../lib/with-lock.ts";
import { after, type LiveEvent, type LiveHit, type LiveState, noState } from "./live-state.ts";

/** A subscription: a site and filters. */
export interface LiveChoice {
	readonly site_id: string;
	readonly segment?: string;
	readonly segment_filters?: string;
}

const firstRetryMs = 3_000;
const lastRetryMs = 15_000;
/** With these there is no use in coming back. */
const refusals = [400, 403, 404, 422];

const name = (choice: LiveChoice): string => `footfall-live ${JSON.stringify(choice)}`;

/** Message between tabs: an event, the greeting of a new tab, or the current state. */
type Message = { readonly event: LiveEvent } | { readonly hello: true } | { readonly state: LiveState };

/**
 * One watched choice of hits in this tab. Of all tabs that watch it one holds the stream and passes on what it hears,
 * for a browser has few connections; a hidden tab disconnects.
 */
class LiveLine {
	state: LiveState = noState;
	readonly #choice: LiveChoice;
	readonly #listeners = new Set<() => void>();
	#channel: BroadcastChannel | undefined;
	#leave: AbortController | undefined;

	constructor(choice: LiveChoice) {
		this.#choice = choice;
	}

	/** Tells of changes until what it answers is called. */
	readonly subscribe = (listener: () => void): (() => void) => {
		this.#listeners.add(listener);
		if (this.#listeners.size === 1) {
			document.addEventListener("visibilitychange", this.#look);
			this.#look();
		}
		return () => {
			this.#listeners.delete(listener);
			if (this.#listeners.size > 0) return;
			document.removeEventListener("visibilitychange", this.#look);
			this.#part();
		};
	};

	readonly #look = (): void => {
		if (document.visibilityState === "hidden") this.#part();
		else this.#join();
	};

	#join(): void {
		if (this.#leave !== undefined) return;
		const leave = new AbortController();
		this.#leave = leave;
		this.#meet();
		const hold = () => holdStream(this.#choice, (event) => this.#tell(event), leave.signal);
		withLock(name(this.#choice), hold, leave.signal).catch(() => undefined);
	}

	/** Hears of the other tabs. Where there are no locks each has a stream of its own, and nothing to tell. */
	#meet(): void {
		if (!isSecureContext) return;
		this.#channel = new BroadcastChannel(name(this.#choice));
		this.#channel.onmessage = ({ data }: MessageEvent<Message>) => this.#hear(data);
		this.#channel.postMessage({ hello: true } satisfies Message);
	}

	#part(): void {
		this.#leave?.abort();
		this.#leave = undefined;
		this.#channel?.close();
		this.#channel = undefined;
	}

	#hear(message: Message): void {
		if ("event" in message) this.#set(after(this.state, message.event));
		else if ("state" in message) this.#set(message.state);
		else if (this.state.words > 0) this.#channel?.postMessage({ state: this.state } satisfies Message);
	}

	#tell(event: LiveEvent): void {
		this.#set(after(this.state, event));
		this.#channel?.postMessage({ event } satisfies Message);
	}

	#set(state: LiveState): void {
		this.state = state;
		for (const listener of this.#listeners) listener();
	}
}

/** Keeps a stream open until the signal; after it broke it waits, longer each time, and renews the session by asking. */
async function holdStream(choice: LiveChoice, tell: (event: LiveEvent) => void, signal: AbortSignal): Promise<void> {
	for (let wait = firstRetryMs; !signal.aborted; wait = Math.min(wait * 2, lastRetryMs)) {
		tell({ kind: "connecting" });
		const began = Date.now();
		const ended = await listen(choice, tell, signal);
		if (signal.aborted) return;
		if (ended === "access") return tell({ kind: "refused" });
		// After a stable connection the delay starts again from the first.
		if (Date.now() - began > lastRetryMs) wait = firstRetryMs;
		if (ended !== "token") {
			tell({ kind: "waiting", retryAt: Date.now() + wait });
			await sleep(wait, signal);
		}
		if (signal.aborted) return;
		if (await isRefused(choice, signal)) return tell({ kind: "refused" });
	}
}

/** Hears what the stream says until it ends, and answers why. */
function listen(choice: LiveChoice, tell: (event: LiveEvent) => void, signal: AbortSignal): Promise<string> {
	return new Promise((resolve) => {
		const source = new EventSource(`/api/v1/stats/live/stream?${new URLSearchParams({ ...choice })}`);
		const end = (reason: string) => {
			source.close();
			resolve(reason);
		};
		const on = (type: string, hear: (data: unknown) => void) =>
			source.addEventListener(type, ({ data }: MessageEvent<string>) => hear(JSON.parse(data)));
		signal.addEventListener("abort", () => end("left"));
		on("now", (data) =>
			tell({ kind: "now", active: (data as { active_visits: number }).active_visits, at: Date.now() }),
		);
		on("hits", (data) => tell({ kind: "hits", hits: data as readonly LiveHit[], at: Date.now() }));
		on("skipped", (data) => tell({ kind: "skipped", count: (data as { count: number }).count, at: Date.now() }));
		on("end", (data) => end((data as { reason: string }).reason));
		source.onerror = () => end("broken");
	});
}

/** Asks once by an ordinary call: it renews a session that has run out, and tells a refusal from a bad connection. */
const isRefused = (choice: LiveChoice, signal: AbortSignal): Promise<boolean> =>
	call("GET /stats/live", { query: choice, signal }).then(
		() => false,
		(error: unknown) => refusals.includes(asFailure(error).status),
	);

function sleep(ms: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, ms);
		signal.addEventListener("abort", () => {
			clearTimeout(timer);
			resolve();
		});
	});
}

const lines = new Map<string, LiveLine>();

/** The line of a choice: badge and screen share it. */
export function lineOf(choice: LiveChoice): LiveLine {
	const key = name(choice);
	let line = lines.get(key);
	if (line === undefined) {
		line = new LiveLine(choice);
		lines.set(key, line);
	}
	return line;
}
