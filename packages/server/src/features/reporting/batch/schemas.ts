import type { Readable } from "node:stream";
import { type Static, Type } from "typebox";
import { OneOf, Timestamp } from "../../../platform/http/schemas.ts";

const MAX_QUERIES = 50;
const ID = "^[a-zA-Z][a-zA-Z0-9_-]*$";

const Query = Type.Object({
	id: Type.String({ minLength: 1, maxLength: 64, pattern: ID, description: "Key of the result in `results`" }),
	endpoint: Type.String({
		maxLength: 1000,
		description:
			"Path of a GET route below `/stats`, or `/stats/query`, `/stats/explain`, or `/stats/funnel` with `steps`; no routes with raw rows or aggregates",
	}),
	params: Type.Record(Type.String(), Type.Unknown(), {
		"x-characters": "any",
		default: {},
		description:
			"Query parameters, including `site_id`; for `/stats/query`, `/stats/explain` and the steps of `/stats/funnel` also the body",
	}),
	depends_on: Type.Array(Type.String(), {
		default: [],
		maxItems: MAX_QUERIES,
		description: "Queries that must succeed first",
	}),
});

export type BatchQuery = Static<typeof Query>;

const Options = Type.Object(
	{
		fail_fast: Type.Boolean({ default: false, description: "Start no more queries after an error" }),
		dry_run: Type.Boolean({ default: false, description: "Validate without running" }),
		include_timing: Type.Boolean({ default: true }),
		parallel_limit: Type.Integer({ minimum: 1, maximum: 10, default: 5 }),
	},
	{ default: {} },
);

export type BatchOptions = Static<typeof Options>;

export const BatchBody = Type.Object({
	queries: Type.Array(Query, { minItems: 1, maxItems: MAX_QUERIES }),
	options: Options,
});

const Result = Type.Object({
	status: OneOf(["success", "error", "dependency_failed", "skipped"]),
	data: Type.Optional(Type.Unknown({ description: "The complete response of the route, with `success`" })),
	error: Type.Optional(
		Type.Object({
			code: Type.String(),
			message: Type.String(),
			detail: Type.Optional(
				Type.Array(Type.Object({ field: Type.String(), message: Type.String(), type: Type.String() })),
			),
		}),
	),
	timing_ms: Type.Optional(Type.Integer()),
});

const BatchAnswer = Type.Object({
	batch_id: Type.String({ format: "uuid" }),
	status: OneOf(["completed", "partial", "failed"]),
	results: Type.Record(Type.String(), Result),
	meta: Type.Object({
		total_queries: Type.Integer(),
		successful: Type.Integer(),
		failed: Type.Integer(),
		skipped: Type.Integer({ description: "`skipped` and `dependency_failed`" }),
		total_timing_ms: Type.Integer(),
		parallel_execution: Type.Boolean({ description: "More than one query ran at a time" }),
	}),
	timestamp: Timestamp(),
});

/** The same as JSON, or as a line a query. */
export const BatchAnswers = {
	description:
		"The complete response, or with `Accept: application/x-ndjson` one line per query as it completes, then one without `results`",
	content: {
		"application/json": { schema: BatchAnswer },
		"application/x-ndjson": { schema: Type.Unsafe<Readable>(Type.String()) },
	},
};

const Remark = Type.Object({ query_id: Type.String(), message: Type.String() });

export const ValidateAnswer = Type.Object({
	valid: Type.Boolean(),
	query_count: Type.Integer(),
	execution_order: Type.Array(Type.String(), { description: "Empty when the batch is not valid" }),
	parallel_groups: Type.Array(Type.Array(Type.String()), {
		description: "Queries of a group depend on earlier groups only",
	}),
	errors: Type.Array(Remark),
	warnings: Type.Array(Remark),
});
