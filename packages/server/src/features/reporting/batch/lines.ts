import { PassThrough, type Readable } from "node:stream";
import { type presentBatch, presentOutcome } from "./present.ts";
import type { BatchResult, RunBatchDeps } from "./run-batch.ts";

/** A JSON object a line (https://github.com/ndjson/ndjson-spec). */
export const LINES = "application/x-ndjson";

/** Whether a client asks for the answers one by one. */
export const wantsLines = (accept = ""): boolean =>
	accept.split(",").some((part) => part.split(";", 1)[0]?.trim().toLowerCase() === LINES);

interface Lines {
	readonly run: (onEnd: NonNullable<RunBatchDeps["onEnd"]>) => Promise<BatchResult>;
	readonly present: (result: BatchResult) => ReturnType<typeof presentBatch>;
	readonly includeTiming: boolean;
}

/** A batch as it runs: a line a query as it ends, `{id,status,data|error,timing_ms}`, then one with all but the results. */
export function linesOf({ run, present, includeTiming }: Lines): Readable {
	const lines = new PassThrough();
	const write = (line: object) => lines.write(`${JSON.stringify(line)}\n`);
	void run((id, outcome) => write({ id, ...presentOutcome(outcome, includeTiming) })).then(
		(result) => {
			const { results: _, ...rest } = present(result);
			write(rest);
			lines.end();
		},
		(error: unknown) => lines.destroy(error instanceof Error ? error : new Error(String(error))),
	);
	return lines;
}
