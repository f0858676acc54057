import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type {
	FastifyBaseLogger,
	FastifyInstance,
	RawReplyDefaultExpression,
	RawRequestDefaultExpression,
	RawServerDefault,
} from "fastify";

/**
 * The HTTP application that slices register their routes on, by `addRoute` or, for files, pages and streams, by `app.route`.
 * Business slices get a scope under `/api/v1` and write `GET /sites`; only health, tracker and discovery live at the root.
 */
export type App = FastifyInstance<
	RawServerDefault,
	RawRequestDefaultExpression<RawServerDefault>,
	RawReplyDefaultExpression<RawServerDefault>,
	FastifyBaseLogger,
	TypeBoxTypeProvider
>;
