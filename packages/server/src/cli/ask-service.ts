import { Agent, request } from "undici";

/** What a running service answered. */
export interface ServiceAnswer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly body: string;
}

/** Milliseconds that it may take for an answer. */
const ANSWER_MS = 15_000;

/**
 * Asks the service of this machine at the address that it left for commands. Its certificate is for the name that browsers
 * use, not for this address, which the service's own user has written: so it is not looked at.
 */
export async function askService(
	url: string,
	headers: Readonly<Record<string, string>> = {},
	timeoutMs = ANSWER_MS,
): Promise<ServiceAnswer> {
	const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
	try {
		const signal = AbortSignal.timeout(timeoutMs);
		const answer = await request(url, { headers: { ...headers }, signal, dispatcher });
		return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
	} finally {
		await dispatcher.destroy();
	}
}
