import { describeCause } from "../log/describe-cause.ts";

/** A failure whose message operators may read: it holds no secret and no address of a person. */
export class JobFailure extends Error {
	override readonly name = "JobFailure";
	/** Another attempt would fail as well. */
	readonly isFinal: boolean;
	/** False where a user or a receiver is at fault, and no operator can help. */
	readonly isOurs: boolean;

	constructor(message: string, options: { isFinal?: boolean; isOurs?: boolean; cause?: unknown } = {}) {
		super(message, { cause: options.cause });
		this.isFinal = options.isFinal ?? false;
		this.isOurs = options.isOurs ?? true;
	}
}

const MAX_LENGTH = 500;

/** Stored reason of a failed attempt; messages of other errors may quote data, so only their names and codes are kept. */
export function describeFailure(error: unknown): string {
	if (error instanceof JobFailure) return error.message.slice(0, MAX_LENGTH);
	const causes = describeCause(error).map(({ name, code, message }) =>
		[name, code, message].filter((part) => part !== undefined).join(" "),
	);
	return causes.join(" < ").slice(0, MAX_LENGTH) || "unknown";
}
