import { errorOf, FootfallError } from "./footfall-error.ts";
import type { ClientOptions, Credential } from "./options.ts";
import { type AnyInput, addressOf, methodOf, type Route } from "./route.ts";

const usual = { timeoutMs: 30_000, longestWaitMs: 60_000 };

/**
 * Sends a request and resolves when the answer begins, with its body unread.
 * @throws {FootfallError} for any failure; the abort reason of `signal` if it was aborted.
 */
export async function send(options: ClientOptions, route: Route, input: AnyInput): Promise<Response> {
	const { retry, wait = waitByTimer } = options;
	for (let left = retry?.times ?? 0; ; left--) {
		const response = await sendOnce(options, route, input);
		if (response.ok) return response;
		const error = await errorOf(response);
		const waitMs = waitOf(error, retry?.longestWaitMs);
		if (left <= 0 || waitMs === undefined) throw error;
		await wait(waitMs, input.signal);
		input.signal?.throwIfAborted();
	}
}

/** How long to wait before another attempt. Both answers say that nothing was done, so that a write may be sent again too. */
function waitOf({ status, retryAfterSeconds }: FootfallError, longestWaitMs = usual.longestWaitMs): number | undefined {
	if ((status !== 429 && status !== 503) || retryAfterSeconds === undefined) return undefined;
	return retryAfterSeconds * 1000 <= longestWaitMs ? retryAfterSeconds * 1000 : undefined;
}

async function sendOnce(options: ClientOptions, route: Route, input: AnyInput): Promise<Response> {
	const { timeoutMs = usual.timeoutMs, fetch = globalThis.fetch } = options;
	const { signal } = input;
	signal?.throwIfAborted();
	const tooLate = new AbortController();
	const timer = setTimeout(() => tooLate.abort(), timeoutMs);
	// The signal of the caller also breaks off what is still on its way when the answer has begun.
	const either = signal === undefined ? tooLate.signal : AbortSignal.any([signal, tooLate.signal]);
	try {
		const request = await requestOf(options, route, { ...input, signal: either });
		return await fetch(request).catch((cause: unknown) => {
			signal?.throwIfAborted();
			if (!tooLate.signal.aborted) throw new FootfallError("The service cannot be reached", { code: "offline", cause });
			throw new FootfallError(`No answer came within ${timeoutMs / 1000} seconds`, { code: "timeout" });
		});
	} finally {
		clearTimeout(timer);
	}
}

async function requestOf(options: ClientOptions, route: Route, input: AnyInput): Promise<Request> {
	const headers = new Headers(input.headers);
	const { body } = input;
	const isForm = body instanceof FormData || body instanceof URLSearchParams;
	if (body !== undefined && !isForm) headers.set("Content-Type", "application/json");
	const { apiKey, accessToken } = options;
	if (apiKey !== undefined) headers.set("X-API-Key", await credentialOf(apiKey));
	if (accessToken !== undefined) headers.set("Authorization", `Bearer ${await credentialOf(accessToken)}`);
	return new Request(options.baseUrl.replace(/\/+$/, "") + addressOf(route, input), {
		method: methodOf(route),
		headers,
		// A session cookie would need its CSRF token too; the credential is given above.
		credentials: "omit",
		...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
		...(input.signal && { signal: input.signal }),
	});
}

const credentialOf = async (credential: Credential): Promise<string> =>
	typeof credential === "string" ? credential : await credential();

const waitByTimer = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
	new Promise((resolve) => {
		const timer = setTimeout(resolve, ms);
		signal?.addEventListener("abort", () => {
			clearTimeout(timer);
			resolve();
		});
	});
