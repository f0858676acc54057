import { type FieldFault, FootfallError } from "./footfall-error.ts";
import type { Ask } from "./paging.ts";
import type { Answer, Body, Query, Report } from "./route.ts";
import { withoutEnvelope } from "./without-envelope.ts";

/** One of several questions. */
export interface Question<R extends Report> {
	readonly route: R;
	readonly params: Params<R>;
}
type Params<R extends Report> = R extends `POST ${string}` ? Query<R> & Body<R> : Query<R>;

/** Any question. */
export type AnyQuestion = { readonly [R in Report]: Question<R> }[Report];

/** How a question ended: with its answer, or with the error that it would have thrown alone. */
export type Outcome<T> =
	| { readonly answer: T; readonly error?: undefined }
	| { readonly answer?: undefined; readonly error: FootfallError };

/** How each of several questions ended, by its name. */
export type Outcomes<Q extends Readonly<Record<string, AnyQuestion>>> = {
	readonly [Name in keyof Q]: Outcome<Answer<Q[Name]["route"]>>;
};

/** A report among others of a batch; bodies and parameters are given as one. */
export const report = <R extends Report>(route: R, params: Params<R>): Question<R> => ({ route, params });

/** Result of one query of a batch. */
interface Result {
	readonly status: string;
	readonly data?: unknown;
	readonly error?: { readonly code: string; readonly message: string; readonly detail?: readonly FieldFault[] };
}

/** Asks questions in one request. A part of them may fail while the others are answered. */
export async function askTogether(
	ask: Ask,
	questions: Readonly<Record<string, AnyQuestion>>,
	signal?: AbortSignal,
): Promise<Readonly<Record<string, Outcome<unknown>>>> {
	const queries = Object.entries(questions).map(([id, { route, params }]) => ({
		id,
		endpoint: route.slice(route.indexOf(" ") + 1),
		params,
	}));
	const { results } = (await ask("POST /batch", { body: { queries }, signal })) as {
		readonly results: Readonly<Record<string, Result>>;
	};
	return Object.fromEntries(queries.map(({ id }) => [id, outcomeOf(results[id])]));
}

function outcomeOf(result: Result | undefined): Outcome<unknown> {
	if (result?.status === "success") return { answer: withoutEnvelope(result.data) };
	const {
		code = "unexpected_answer",
		message = "The batch has no answer to this question",
		detail,
	} = result?.error ?? {};
	return { error: new FootfallError(message, { code, detail }) };
}
