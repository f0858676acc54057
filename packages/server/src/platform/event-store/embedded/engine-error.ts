/** Code and text of an exception of the engine. */
export interface EngineException {
	/** Number in the engine's list of error codes; 1002 (unknown exception) when the text names none. */
	readonly code: number;
	readonly message: string;
}

const UNKNOWN_EXCEPTION = 1002;

/** Reads the error code from an exception's text. */
export function engineException(error: unknown): EngineException {
	const message = error instanceof Error ? error.message : String(error);
	const code = /^Code: (\d+)\./.exec(message)?.[1];
	return { code: code === undefined ? UNKNOWN_EXCEPTION : Number(code), message };
}
