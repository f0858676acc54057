const MAX_CAUSES = 5;
const MAX_FRAMES = 8;
/** Errors of the program itself: their messages name code, not data. */
const harmlessMessages = new Set(["TypeError", "ReferenceError"]);

interface CauseLine {
	readonly name: string;
	readonly code?: string | number;
	readonly message?: string;
	readonly frames: readonly string[];
}

/** Loggable part of an error and its causes. Messages of databases and parsers are omitted, as they may quote private data. */
export function describeCause(error: unknown): CauseLine[] {
	const lines: CauseLine[] = [];
	for (let cause = error; cause !== undefined && cause !== null && lines.length < MAX_CAUSES; ) {
		if (!(cause instanceof Error)) return [...lines, { name: typeof cause, frames: [] }];
		lines.push(describeOne(cause));
		cause = cause.cause;
	}
	return lines;
}

function describeOne(error: Error): CauseLine {
	const { code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
	const number = typeof errcode === "number" ? errcode : code;
	return {
		name: error.name,
		...(typeof number === "string" || typeof number === "number" ? { code: number } : {}),
		...(harmlessMessages.has(error.name) ? { message: error.message.slice(0, 300) } : {}),
		frames: framesOf(error.stack ?? ""),
	};
}

const framesOf = (stack: string): string[] =>
	stack
		.split("\n")
		.filter((line) => /^\s+at .*[):]\d*/.test(line))
		.slice(0, MAX_FRAMES)
		.map((line) => line.trim());
