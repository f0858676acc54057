/** An exception of the engine, read from its text `Code: N. DB::Exception: … (NAME)`. */
export class EngineError extends Error {
	/** Number in the engine's list of errors; `0` when the text names none. */
	readonly code: string;
	/** Name in that list, such as `SYNTAX_ERROR`. */
	readonly type: string | undefined;

	constructor(text: string, code?: string) {
		super(text);
		this.name = "EngineError";
		this.code = code ?? /Code: (\d+)\./.exec(text)?.[1] ?? "0";
		// The last match, as the text before it may quote the statement.
		this.type = /.*\(([A-Z][A-Z0-9_]{2,})\)/s.exec(text)?.[1];
	}
}

/** An error after the first bytes of an answer is appended between two of these lines. */
export const MARK = "__exception__";

/** The exception with which an answer breaks off; undefined when its bytes are whole. `tag` is its header `X-ClickHouse-Exception-Tag`. */
export function errorAtEnd(end: Buffer, tag: string): EngineError | undefined {
	if (tag === "") return undefined;
	const mark = `\r\n${MARK}\r\n${tag}\r\n`;
	const at = end.lastIndexOf(mark);
	if (at < 0 || !end.includes(`${tag}\r\n${MARK}\r\n`, at + mark.length)) return undefined;
	return new EngineError(end.subarray(at + mark.length).toString("utf8"));
}
