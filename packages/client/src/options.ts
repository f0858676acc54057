/** Credential of a request: a text, or a function that returns it for each request. */
export type Credential = string | (() => string | Promise<string>);

/** How often, and for how long, a client waits where the service asks it to. */
export interface RetryOptions {
	/** Further attempts after the first one. */
	readonly times: number;
	/** A longer `Retry-After` is not waited for: the error comes at once. A minute when absent. */
	readonly longestWaitMs?: number;
}

/** How the service is reached. */
export interface ClientOptions {
	/** Where the service is: `https://stats.example.com`. */
	readonly baseUrl: string;
	/** An API key, `svc_…`. */
	readonly apiKey?: Credential;
	/** An access token, of a session, an app or a shared link. */
	readonly accessToken?: Credential;
	/** The time that an answer may take to begin; 30 seconds when absent. */
	readonly timeoutMs?: number;
	/** Tries again after 429 and 503, as `Retry-After` says; without it no request is sent twice. */
	readonly retry?: RetryOptions;
	/** Sends requests in place of the platform's `fetch`. */
	readonly fetch?: (request: Request) => Promise<Response>;
	/** Waits in place of a timer. */
	readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}
