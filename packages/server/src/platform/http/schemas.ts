import { type TSchema, type TSchemaOptions, Type } from "typebox";

/** `{success, data, meta, timestamp}` around a schema. */
export const Success = <T extends TSchema>(data: T) =>
	Type.Object({
		success: Type.Boolean(),
		data,
		meta: Type.Record(Type.String(), Type.Unknown()),
		timestamp: Type.String({ format: "date-time" }),
	});

/** The fields beside the rows of a page. */
export const pageFields = {
	total: Type.Integer(),
	page: Type.Integer(),
	page_size: Type.Integer(),
	has_next: Type.Boolean(),
	has_prev: Type.Boolean(),
};

/** The paginated envelope around a row's schema. */
export const Page = <T extends TSchema>(row: T) => Type.Object({ data: Type.Array(row), ...pageFields });

/** The error envelope, once in the API description. */
export const ErrorEnvelope = Type.Object(
	{
		error: Type.Object({
			code: Type.String({ description: "Stable; branch on it" }),
			message: Type.String(),
			detail: Type.Optional(
				Type.Array(
					Type.Object({
						field: Type.String({ description: "Dotted path, e.g. `query.period`" }),
						message: Type.String(),
						type: Type.String(),
					}),
				),
			),
		}),
		request_id: Type.String({ format: "uuid" }),
	},
	{ $id: "Error" },
);

/** A reference to the error envelope; every route gets its own error answers by itself. */
export const ErrorRef = { $ref: "Error#" } as const;

/** A value or null: `null` is written, not left out. */
export const Nullable = <T extends TSchema>(schema: T, options: TSchemaOptions = {}) =>
	Type.Union([schema, Type.Null()], options);

/** Options of a body that may be left out: `{}` stands for it. */
export const optionalBody = { "x-optional": true } as const;

/** One of some texts, e.g. `OneOf(["asc", "desc"])`. */
export const OneOf = <Values extends string[]>(values: readonly [...Values], options: TSchemaOptions = {}) =>
	Type.Enum(values, options);

/** Text that PostgreSQL can store: no NUL. Bodies with one are always refused, queries and paths are not. */
export const withoutNul = "^[^\\u0000]*$";

/** A text of so many characters, without NUL. */
export const Text = (minLength: number, maxLength: number, options: TSchemaOptions & { default?: string } = {}) =>
	Type.String({ minLength, maxLength, pattern: withoutNul, ...options });

/** A name of a person or an organization. It goes into the subject of mails, so it has no control characters. */
export const Name = () => Type.String({ minLength: 1, maxLength: 255, pattern: "^[^\\u0000-\\u001f\\u007f]*$" });

/** The number of a row in a request. */
export const Id = (options: TSchemaOptions = {}) => Type.Integer({ minimum: 1, maximum: 2_147_483_647, ...options });

/** An answer that is a sentence. */
export const Message = Type.Object({ message: Type.String() });

/** A moment in the answer: ISO 8601 UTC with milliseconds. */
export const Timestamp = () => Type.String({ format: "date-time" });

/** Page number and size of a list. A property with a `default` needs no `Type.Optional`: the handler always finds a value. */
export const paging = (options: { pageSize: number; max: number }) => ({
	page: Type.Integer({ minimum: 1, default: 1 }),
	page_size: Type.Integer({ minimum: 1, maximum: options.max, default: options.pageSize }),
});

/** First row and number of rows of a list that has no pages. */
export const limitAndOffset = (options: { limit: number; max: number }) => ({
	limit: Type.Integer({ minimum: 1, maximum: options.max, default: options.limit }),
	offset: Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 }),
});
