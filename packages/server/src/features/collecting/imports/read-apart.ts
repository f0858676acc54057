import { type ChildProcess, fork } from "node:child_process";
import { on, once } from "node:events";
import { extname, join } from "node:path";
import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import { childEnvironment } from "../../../platform/lib/child-environment.ts";
import { HOUR_MS, MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { FilingDeps } from "./deps.ts";
import { type FormatContext, type ImportSource, UnreadableFile } from "./formats/format.ts";
import type { IntakePlan } from "./intake.ts";
import type { ImportReport } from "./report.ts";
import type { FileToRead } from "./stored-file.ts";

/** Request to the process that reads a file. */
export interface ReadWish {
	readonly source: ImportSource;
	readonly file: FileToRead;
	readonly context: FormatContext;
	/** Absent when the beginning of the file is checked and nothing else. */
	readonly intake?: IntakePlan;
	/** Batches that are stored already; absent when the report is wanted and no rows. */
	readonly done?: number;
}

/** Messages of that process; each but `progress` waits until the one before it was dealt with. */
export type ReadMessage =
	| { readonly kind: "progress"; readonly bytes: number }
	/** Lines for the event store; `token` is the same in each repetition, `months` counts those of all lines so far. */
	| { readonly kind: "rows"; readonly token: string; readonly tsv: Uint8Array; readonly months: number }
	/** All rows of so many batches were sent. */
	| { readonly kind: "stored"; readonly batches: number }
	/** The end; no report when the file was only checked. */
	| { readonly kind: "end"; readonly report: ImportReport | undefined }
	| { readonly kind: "unreadable"; readonly message: string; readonly field: UnreadableFile["field"] }
	| { readonly kind: "failure"; readonly message: string };

/** Where the file is, and what its process is started with. */
export type ChildWish = ReadWish & { readonly filesAt: string };

/** In a package the sources are JavaScript. */
const ENTRY = join(import.meta.dirname, `import-process${extname(import.meta.filename)}`);
const CHECKED_WITHIN_MS = MINUTE_MS;
const READ_WITHIN_MS = 6 * HOUR_MS;
const STDERR_KEPT = 4000;

/**
 * Reads a file in a process of its own, whose memory and time are bounded: neither a huge nor a hostile file blocks the thread that takes
 * hits. Yields rows and stored batches, the next ones when these were dealt with, and returns the report. Throws `UnreadableFile`, a
 * `JobFailure` for what may pass, and the reason of the signal.
 */
export async function* readApart(
	{ reading: { filesAt, memoryBytes }, clock }: Pick<FilingDeps, "reading" | "clock">,
	wish: ReadWish,
	{ signal, onBytes }: { readonly signal: AbortSignal | undefined; readonly onBytes?: (bytes: number) => void },
): AsyncGenerator<Extract<ReadMessage, { kind: "rows" | "stored" }>, ImportReport | undefined> {
	signal?.throwIfAborted();
	const ms = wish.intake === undefined ? CHECKED_WITHIN_MS : READ_WITHIN_MS;
	const heap = Math.floor(memoryBytes / 1024 ** 2);
	const deadline = clock.deadline(ms);
	const ending = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
	const child = fork(ENTRY, [], {
		execArgv: [`--max-old-space-size=${heap}`],
		serialization: "advanced",
		stdio: ["ignore", "ignore", "pipe", "ipc"],
		env: childEnvironment(),
	});
	let stderr = "";
	child.stderr?.on("data", (text: Buffer) => {
		stderr = (stderr + text.toString("latin1")).slice(-STDERR_KEPT);
	});
	child.on("error", () => undefined);
	const closed = once(child, "close").catch(() => undefined);
	const end = () => child.kill("SIGKILL");
	ending.addEventListener("abort", end);
	try {
		send(child, { ...wish, filesAt } satisfies ChildWish);
		for await (const [message] of on(child, "message", { close: ["close"] }) as AsyncIterable<[ReadMessage]>) {
			if (ending.aborted) break;
			if (message.kind === "progress") onBytes?.(message.bytes);
			else if (message.kind === "end") return message.report;
			else if (message.kind === "unreadable") throw new UnreadableFile(message.message, message.field);
			else if (message.kind === "failure") throw new JobFailure(message.message);
			else {
				yield message;
				send(child, "go on");
			}
		}
		signal?.throwIfAborted();
		if (deadline.aborted)
			throw new UnreadableFile(`The file takes more than ${ms / MINUTE_MS} minutes to read: split it`);
		if (stderr.includes("out of memory"))
			throw new UnreadableFile(
				`The file takes more than ${heap} MB of memory to read (IMPORT_MEMORY): split it, or export shorter ranges`,
			);
		throw new JobFailure("The process that reads the file was ended");
	} finally {
		ending.removeEventListener("abort", end);
		end();
		await closed;
	}
}

/** Sends a message; a process that is gone takes none. */
function send(child: ChildProcess, message: ChildWish | "go on"): void {
	child.send(message, () => undefined);
}
