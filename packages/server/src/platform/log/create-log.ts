import { Socket } from "node:net";
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from "pino";

/** Bytes of lines that wait for a reader of standard error that has stopped; lines beyond are dropped and counted. */
const MOST_WAITING = 8 * 1024 * 1024;

/** The service's log: JSON lines on standard error, without data of visitors or users. A reader that stops holds nothing up. */
export function createLog(options: { logLevel: string }): Logger {
	const log: Logger = pino(
		{ level: options.logLevel, base: null, timestamp: stdTimeFunctions.isoTime },
		standardError((lines) => log.warn({ lines }, "Log lines were dropped: nothing reads the log")),
	);
	return log;
}

/** Resolves when the lines so far have been written, or never where nothing reads them. */
export const logWritten = (): Promise<void> =>
	isPipe(process.stderr) ? new Promise((resolve) => process.stderr.write("", () => resolve())) : Promise.resolve();

/** Files and terminals take a line at once, pipes and sockets only as long as they are read. */
const isPipe = (stream: NodeJS.WriteStream): boolean => stream instanceof Socket && !stream.isTTY;

function standardError(onDropped: (lines: number) => void): DestinationStream {
	const { stderr } = process;
	if (!isPipe(stderr)) return destination({ dest: 2, sync: true });
	// The reader of the log has ended.
	if (stderr.listenerCount("error") === 0) stderr.on("error", () => undefined);
	let dropped = 0;
	return {
		write: (line) => {
			if (stderr.writableLength > MOST_WAITING) {
				dropped++;
				return;
			}
			const lines = dropped;
			dropped = 0;
			if (lines > 0) onDropped(lines);
			stderr.write(line);
		},
	};
}
