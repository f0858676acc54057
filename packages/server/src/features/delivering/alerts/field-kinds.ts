import { type Static, type TSchema, type TSchemaOptions, Type } from "typebox";
import { Nullable } from "../../../platform/http/schemas.ts";

/** A field: its schema in the API, its default in a new rule, and its form in the column. */
const field = <Schema extends TSchema, Column>(
	schema: Schema,
	initial: Static<Schema>,
	column: { toColumn: (value: Static<Schema>) => Column; fromColumn: (column: Column) => Static<Schema> },
) => ({ schema, initial, withDefault: { ...schema, default: initial }, ...column });

/** One that its column holds as it is. */
export const plain = <Schema extends TSchema>(schema: Schema, initial: Static<Schema>) =>
	field(schema, initial, {
		toColumn: (value: Static<Schema>): Static<Schema> => value,
		fromColumn: (column: Static<Schema>): Static<Schema> => column,
	});

/** A yes or no: 1 or 0 in the column. */
export const flag = (initial: boolean, options: TSchemaOptions = {}) =>
	field(Type.Boolean(options), initial, {
		toColumn: (value: boolean): number => (value ? 1 : 0),
		fromColumn: (column: number) => column === 1,
	});

/** A list, as JSON in the column. */
export const list = <Schema extends TSchema>(schema: Schema, initial: Static<Schema>) =>
	field(schema, initial, {
		toColumn: (value: Static<Schema>) => JSON.stringify(value),
		fromColumn: (column: string): Static<Schema> => JSON.parse(column),
	});

/** An object, as JSON in the column, or nothing. */
export const object = <Schema extends TSchema>(schema: Schema) =>
	field(Nullable(schema), null, {
		toColumn: (value: Static<Schema> | null) => (value === null ? null : JSON.stringify(value)),
		fromColumn: (column: string | null): Static<Schema> | null => (column === null ? null : JSON.parse(column)),
	});
