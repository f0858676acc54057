import type { FastifyContextConfig, FastifyReply, FastifyRequest, FastifySchema } from "fastify";
import { type Static, type TSchema, Type } from "typebox";
import type { ErrorCode } from "../errors/codes.ts";
import type { App } from "./app.ts";
import { success } from "./envelope.ts";
import { errorAnswers } from "./error-answers.ts";
import { Message, Success } from "./schemas.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A request whose input has been validated; `unknown` for a part without a schema. */
type Asked<Params extends TSchema, Query extends TSchema, Body extends TSchema> = Omit<
	FastifyRequest,
	"params" | "query" | "body"
> & { readonly params: Static<Params>; readonly query: Static<Query>; readonly body: Static<Body> };

interface Asking<Params extends TSchema, Query extends TSchema, Body extends TSchema>
	extends Pick<FastifyContextConfig, "guard" | "limit" | "audience">,
		Pick<FastifySchema, "x-headers"> {
	readonly tags: readonly string[];
	readonly summary: string;
	readonly description?: string;
	/** Keeps the route out of the API description. */
	readonly hide?: boolean;
	readonly params?: Params;
	readonly querystring?: Query;
	readonly body?: Body;
	/** Errors that neither the guard nor the schema of the input brings: their codes, or answers by status. */
	readonly errors?: readonly ErrorCode[] | Readonly<Record<string, unknown>>;
}

type Handler<Request, Result> = (request: Request, reply: FastifyReply) => Result | Promise<Result>;

/**
 * The body of a success: data in the success envelope, a list of rows there under a name and with their number, one sentence, a body
 * of another form, or none (204) for the reason given.
 */
type Answering<Request, Answer extends TSchema> =
	| { readonly status?: 201 | 202; readonly data: Answer; readonly handler: Handler<Request, Static<Answer>> }
	| {
			readonly list: readonly [name: string, row: Answer];
			readonly handler: Handler<Request, readonly Static<Answer>[]>;
	  }
	| { readonly status?: 201 | 202; readonly message: string; readonly handler: Handler<Request, unknown> }
	| { readonly status?: 201 | 202; readonly answer: Answer; readonly handler: Handler<Request, Static<Answer>> }
	| { readonly empty: string; readonly handler: Handler<Request, void> };

/** Registers a route of the API, whose handler returns the data or throws a `ServiceError`. Files, pages and streams are registered by `app.route`. */
export function addRoute<
	Answer extends TSchema,
	Params extends TSchema = TSchema,
	Query extends TSchema = TSchema,
	Body extends TSchema = TSchema,
>(
	app: App,
	name: `${Method} ${string}`,
	route: Asking<Params, Query, Body> & Answering<Asked<Params, Query, Body>, Answer>,
): void {
	const [method = "", url = ""] = name.split(" ");
	const { guard, limit, audience, tags, summary, description, hide, params, querystring, body, errors } = route;
	const schema = { tags, summary, description, hide, params, querystring, body, "x-headers": route["x-headers"] };
	const { status, answer, bodyOf } = answering(route);
	app.route({
		method,
		url,
		schema: {
			...declared(schema),
			response: { [status]: answer, ...(isCodes(errors) ? errorAnswers(...errors) : errors) },
		},
		config: declared({ guard, limit, audience }),
		handler: async (request, reply) => {
			const result = await route.handler(request as Asked<Params, Query, Body>, reply);
			return reply.code(status).send(bodyOf(result));
		},
	});
}

function answering<Answer extends TSchema>(route: Answering<never, Answer>) {
	if ("empty" in route)
		return { status: 204, answer: Type.Null({ description: route.empty }), bodyOf: () => undefined };
	if ("list" in route) {
		const [name, row] = route.list;
		const answer = Success(Type.Object({ [name]: Type.Array(row), total: Type.Integer() }));
		return { status: 200, answer, bodyOf: (rows: unknown) => success({ [name]: rows, total: (rows as []).length }) };
	}
	const { status = 200 } = route;
	if ("answer" in route) return { status, answer: route.answer, bodyOf: (body: unknown) => body };
	if ("data" in route) return { status, answer: Success(route.data), bodyOf: (data: unknown) => success(data) };
	const { message } = route;
	return { status, answer: Success(Message), bodyOf: () => success({ message }) };
}

const isCodes = (errors: object | undefined): errors is readonly ErrorCode[] => Array.isArray(errors);

const declared = (parts: object): object =>
	Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
