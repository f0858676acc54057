import type { Clock } from "../../../../platform/lib/clock.ts";
import type { AccessTokens } from "./access-tokens.ts";
import { errorOfAnswer } from "./google-error.ts";
import { type GoogleAnswer, type GoogleRequest, patiently, sendOnce } from "./send.ts";

/** Sends requests with a token; another one is fetched once when it is no longer taken. */
export interface Authorized {
	once(request: GoogleRequest): Promise<GoogleAnswer>;
	/** Again when Google is busy: for what bears to be done twice. */
	patiently(request: GoogleRequest): Promise<GoogleAnswer>;
}

/** The way in with the tokens of a service account. */
export function authorized(clock: Clock, tokens: AccessTokens): Authorized {
	const withToken = (request: GoogleRequest, token: string) =>
		sendOnce(clock, {
			...request,
			headers: { ...request.headers, authorization: `Bearer ${token}` },
			expects: [...(request.expects ?? []), 401],
		});
	const once = async (request: GoogleRequest): Promise<GoogleAnswer> => {
		const token = await tokens.get(request.signal);
		const answer = await withToken(request, token);
		if (answer.status !== 401) return answer;
		const again = await withToken(request, await tokens.get(request.signal, token));
		if (again.status === 401) throw errorOfAnswer(401, again.body);
		return again;
	};
	return { once, patiently: (request) => patiently(clock, () => once(request), request.signal) };
}
