import type { LightMyRequestResponse } from "fastify";

type Answer = Pick<LightMyRequestResponse, "statusCode" | "json">;

/** Status and code of an error; no code where there is no error. */
export const codeOf = (answer: Answer) => [answer.statusCode, answer.json().error?.code];

/** Status and message of an error. */
export const messageOf = (answer: Answer) => [answer.statusCode, answer.json().error?.message];

/** Status and the fields that an error names, sorted. */
export const fieldsOf = (answer: Answer) => [
	answer.statusCode,
	...(answer
		.json()
		.error?.detail?.map(({ field }: { field: string }) => field)
		.sort() ?? []),
];
