import type { Agent } from "undici";
import { request } from "undici";

interface Asked {
	readonly method?: "GET" | "HEAD" | "POST";
	/** May name another host than the address does. */
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
	/** How the connection is made. */
	readonly dispatcher?: Agent;
}

/** Asks an address with any headers, the host too, and follows no redirect. */
export async function askPlainly(url: string, { method = "GET", headers = {}, body, dispatcher }: Asked = {}) {
	const answer = await request(url, {
		method,
		headers: { ...headers },
		...(body !== undefined && { body }),
		...(dispatcher !== undefined && { dispatcher }),
	});
	const text = await answer.body.text();
	return {
		status: answer.statusCode,
		headers: answer.headers,
		text,
		error: () => JSON.parse(text).error as { code: string; message: string },
	};
}
