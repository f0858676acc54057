import type { InjectOptions } from "fastify";
import type { TestApp } from "./test-app.ts";

export interface GivenAnswer {
	readonly statusCode: number;
	/** Empty for a stream, which was left as soon as it began. */
	readonly body: string;
}

/** Asks any route, also one whose answer has no end. */
export async function answerOf(app: TestApp, request: InjectOptions): Promise<GivenAnswer> {
	const response = await app.inject({ ...request, payloadAsStream: true });
	const { statusCode, headers } = response;
	if (String(headers["content-type"]).startsWith("text/event-stream")) {
		response.raw.res.destroy();
		return { statusCode, body: "" };
	}
	const pieces: Buffer[] = [];
	for await (const piece of response.stream()) pieces.push(piece);
	return { statusCode, body: Buffer.concat(pieces).toString() };
}
