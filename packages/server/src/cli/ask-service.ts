import { Agent, request } from "undici";
import { systemClock } from "../platform/lib/clock.ts";

/** Answer of a running service. */
export interface ServiceAnswer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly body: string;
}

/** Milliseconds that it may take for an answer. */
const ANSWER_MS = 15_000;

interface Asked {
	readonly headers?: Readonly<Record<string, string>>;
	readonly timeoutMs?: number;
	/** Looks at the certificate, as a browser does. */
	readonly isPublic?: boolean;
}

/**
 * Asks the service of this machine at the address that it left for commands. Its certificate is for the name that browsers
 * use, not for this address, which the service's own user has written: so it is not looked at, unless `isPublic` says so.
 */
export async function askService(url: string, asked: Asked = {}): Promise<ServiceAnswer> {
	const { headers = {}, timeoutMs = ANSWER_MS, isPublic = false } = asked;
	const dispatcher = new Agent({ connect: { rejectUnauthorized: isPublic } });
	try {
		const signal = systemClock.deadline(timeoutMs);
		const answer = await request(url, { headers: { ...headers }, signal, dispatcher });
		return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
	} finally {
		await dispatcher.destroy();
	}
}
