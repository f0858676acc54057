import assert from "node:assert/strict";

/** An event of a stream; of a comment its text alone. */
export interface SentEvent {
	readonly event: string;
	readonly data: unknown;
}

/** Somebody who reads server-sent events over the network. */
export interface LiveReader {
	readonly status: number;
	readonly headers: Headers;
	/** All that came. */
	text(): string;
	/** The next event of a name that nobody has waited for yet; rejects when the stream ends before. */
	next(event: string): Promise<unknown>;
	/** Resolves when the stream has ended. */
	readonly ended: Promise<void>;
	/** Hangs up. */
	leave(): void;
}

const COMMENT = "comment";

function parse(block: string): SentEvent | undefined {
	if (block.startsWith(": ")) return { event: COMMENT, data: block.slice(2) };
	const fields = new Map(block.split("\n").map((line) => [line.split(": ", 1)[0], line.slice(line.indexOf(": ") + 2)]));
	const [event, data] = [fields.get("event"), fields.get("data")];
	return event === undefined || data === undefined ? undefined : { event, data: JSON.parse(data) };
}

/** Opens a stream; resolves when its head is there. The body of a refusal is its text. */
export async function readLive(url: string, headers: Readonly<Record<string, string>>): Promise<LiveReader> {
	const hangUp = new AbortController();
	const response = await fetch(url, { headers, signal: hangUp.signal });
	let all = "";
	let rest = "";
	let isOver = false;
	const events: SentEvent[] = [];
	let wake = Promise.withResolvers<void>();
	const announce = () => {
		wake.resolve();
		wake = Promise.withResolvers<void>();
	};
	const read = async () => {
		const decoder = new TextDecoder();
		for await (const bytes of response.body ?? []) {
			const text = decoder.decode(bytes, { stream: true });
			all += text;
			const blocks = (rest + text).split("\n\n");
			rest = blocks.pop() ?? "";
			events.push(...blocks.flatMap((block) => parse(block) ?? []));
			announce();
		}
	};
	const ended = read()
		.catch((error: unknown) => {
			if (!hangUp.signal.aborted) throw error;
		})
		.finally(() => {
			isOver = true;
			announce();
		});
	ended.catch(() => undefined);
	return {
		status: response.status,
		headers: response.headers,
		text: () => all,
		next: async (event) => {
			for (;;) {
				const at = events.findIndex((one) => one.event === event);
				if (at >= 0) return events.splice(at, 1)[0]?.data;
				if (isOver) assert.fail(`The stream ended without ${event}: ${all}`);
				await wake.promise;
			}
		},
		ended,
		leave: () => hangUp.abort(),
	};
}
