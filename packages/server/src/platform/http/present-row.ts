import type { Static, TObject, TSchema } from "typebox";
import { timestamp } from "../lib/timestamp.ts";

type Shown<Fields extends Record<string, TSchema>, Row> = {
	readonly [Name in keyof Fields & keyof Row]: number extends Row[Name] ? Static<Fields[Name]> : Row[Name];
};

/** The columns of a row that the answer's schema names: as stored, but flags as booleans and moments as texts where it says so. */
export function presentRow<Fields extends Record<string, TSchema>, Row extends object>(
	{ properties }: TObject<Fields>,
	row: Row,
): Shown<Fields, Row> {
	const columns = new Map<string, unknown>(Object.entries(row));
	const shared = Object.entries(properties).filter(([name]) => columns.has(name));
	return Object.fromEntries(shared.map(([name, schema]): unknown[] => [name, shownAs(schema, columns.get(name))]));
}

function shownAs(schema: Shape, value: unknown): unknown {
	if (typeof value !== "number") return value;
	if (schema.type === "boolean") return value === 1;
	return isMoment(schema) ? timestamp(value) : value;
}

interface Shape {
	readonly type?: unknown;
	readonly format?: unknown;
	readonly anyOf?: readonly Shape[];
}

const isMoment = ({ format, anyOf }: Shape): boolean => format === "date-time" || (anyOf ?? []).some(isMoment);
