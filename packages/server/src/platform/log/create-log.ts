import { destination, type Logger, pino, stdTimeFunctions } from "pino";

/** The service's log: JSON lines on standard error. Lines hold names, codes and counts, never data of visitors or users. */
export function createLog(options: { logLevel: string }): Logger {
	return pino(
		{ level: options.logLevel, base: null, timestamp: stdTimeFunctions.isoTime },
		destination({ dest: 2, sync: true }),
	);
}
