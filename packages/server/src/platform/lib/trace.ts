import { AsyncLocalStorage } from "node:async_hooks";

/** Description of a span. Attributes never hold values of visitors, users or secrets. */
export interface SpanFacts {
	readonly name: string;
	/** `server` for what others asked, `client` for what is asked of others. */
	readonly kind?: "server" | "client" | "internal";
	readonly attributes?: Readonly<Record<string, string | number>>;
}

/** A span that has begun. */
export interface OpenSpan {
	/** Runs work within it; spans started meanwhile are its children. */
	within<Result>(work: () => Result): Result;
	set(attributes: Readonly<Record<string, string | number>>): void;
	/** Ends it, as a failure with the kind of error where there was one. */
	end(failure?: string): void;
}

/** Tells where time goes. */
export interface Trace {
	/** Begins a span within the one at hand, or within that of another program whose `headers` name it. */
	begin(facts: SpanFacts, headers?: Readonly<Record<string, unknown>>): OpenSpan;
}

/** Context that is passed on with requests. */
interface Current {
	readonly headers: Readonly<Record<string, string>>;
}

const storage = new AsyncLocalStorage<Current>();
const none: Readonly<Record<string, string>> = {};

/** Headers that tell another program within which span it is asked; none when nothing is traced. */
export const traceHeaders = (): Readonly<Record<string, string>> => storage.getStore()?.headers ?? none;

/** The span at hand, as it was given to `inSpan`. */
export const currentSpan = <Span extends Current>(): Span | undefined => storage.getStore() as Span | undefined;

/** Runs work, and everything it starts, within a span. */
export const inSpan = <Result>(span: Current, work: () => Result): Result => storage.run(span, work);

const nothing: OpenSpan = { within: (work) => work(), set: () => undefined, end: () => undefined };

/** Where nothing is traced. */
export const untraced: Trace = { begin: () => nothing };

/** Does a piece of work within a span that ends with it. */
export async function traced<Result>(trace: Trace, facts: SpanFacts, work: () => Promise<Result>): Promise<Result> {
	const span = trace.begin(facts);
	try {
		const result = await span.within(work);
		span.end();
		return result;
	} catch (error) {
		span.end(kindOf(error));
		throw error;
	}
}

/** The code or the name of an error: messages may quote private data. */
export function kindOf(error: unknown): string {
	if (!(error instanceof Error)) return typeof error;
	const { code } = error as { code?: unknown };
	return typeof code === "string" ? code : error.name;
}
