import assert from "node:assert/strict";

/** Somebody who reads server-sent events over the network. */
export type LiveReader = Awaited<ReturnType<typeof readLive>>;

/** The name and data of an event; a comment is an event of this name, its text the data. */
function parse(block: string): { readonly event: string; readonly data: unknown } | undefined {
	if (block.startsWith(": ")) return { event: "comment", data: block.slice(2) };
	const fields = new Map(block.split("\n").map((line) => [line.split(": ", 1)[0], line.slice(line.indexOf(": ") + 2)]));
	const [event, data] = [fields.get("event"), fields.get("data")];
	return event === undefined || data === undefined ? undefined : { event, data: JSON.parse(data) };
}

/** Opens a stream; resolves when its head is there. The body of a refusal is its text. */
export async function readLive(url: string, headers: Readonly<Record<string, string>>) {
	const hangUp = new AbortController();
	const response = await fetch(url, { headers, signal: hangUp.signal });
	let all = "";
	let isOver = false;
	const events: { readonly event: string; readonly data: unknown }[] = [];
	let wake = Promise.withResolvers<void>();
	const announce = () => {
		wake.resolve();
		wake = Promise.withResolvers<void>();
	};
	const read = async () => {
		let rest = "";
		for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
			all += text;
			const blocks = (rest + text).split("\n\n");
			rest = blocks.pop() ?? "";
			events.push(...blocks.flatMap((block) => parse(block) ?? []));
			announce();
		}
	};
	/** Resolves when the stream has ended. */
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
		/** All that came. */
		text: () => all,
		/** The next event of a name that nobody has waited for yet; rejects when the stream ends before. */
		next: async (event: string): Promise<unknown> => {
			for (;;) {
				const at = events.findIndex((one) => one.event === event);
				if (at >= 0) return events.splice(at, 1)[0]?.data;
				if (isOver) assert.fail(`The stream ended without ${event}: ${all}`);
				await wake.promise;
			}
		},
		ended,
		/** Hangs up. */
		leave: () => hangUp.abort(),
	};
}
