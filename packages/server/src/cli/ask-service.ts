import { Agent, request } from "undici";
import { systemClock } from "../platform/lib/clock.ts";

const ANSWER_MS = 15_000;

interface Asked {
	readonly headers?: Readonly<Record<string, string>>;
	readonly timeoutMs?: number;
	/** Looks at the certificate, as a browser does. */
	readonly isPublic?: boolean;
}

/** Asks the service of this machine at the address that it left for commands, which is not in its certificate: this is checked only with `isPublic`. */
export async function askService(url: string, asked: Asked = {}) {
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
