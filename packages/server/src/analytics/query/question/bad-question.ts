import { fieldError } from "../../../platform/errors/service-error.ts";

interface Fault {
	/** The way to it within the question, such as `["start_date"]`; none where the question is a single text. */
	readonly at?: readonly string[];
	/** Its kind, for programs. */
	readonly type?: string;
}

/** A fault of what is asked. Where the question stands in a request, only the route knows. */
export class BadQuestion extends Error {
	override readonly name = "BadQuestion";
	readonly at: readonly string[];
	readonly type: string;

	constructor(message: string, { at = [], type = "value_error" }: Fault = {}) {
		super(message);
		this.at = at;
		this.type = type;
	}
}

/** The fault of an expression that the engine refuses, or would. */
export const refusedExpression = (at: readonly string[] = []): BadQuestion =>
	new BadQuestion("Not a valid RE2 expression, or too large a one", { at, type: "regex" });

/** A fault of a question as the 422 on its place in the request, such as `query.filters`; any other error as it is. */
export const placedFault = (place: string, error: unknown): unknown =>
	error instanceof BadQuestion ? fieldError([place, ...error.at].join("."), error.message, error.type) : error;

/** Reads a part of a question that stands at a place of the request. 422 there for a fault. */
export function placed<T>(place: string, read: () => T): T {
	try {
		return read();
	} catch (error) {
		throw placedFault(place, error);
	}
}
