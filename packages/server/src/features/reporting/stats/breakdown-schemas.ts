import { type Static, Type } from "typebox";
import { Success } from "../../../platform/http/schemas.ts";
import { deviceShapes } from "./devices.ts";
import { Row } from "./list-schemas.ts";
import { typeLists } from "./microconversions.ts";
import { commonParameters } from "./parameters.ts";

/** Query of a report that takes the common parameters alone. */
export const CommonQuery = Type.Object(commonParameters);

/** A validated query of the common parameters. */
export type CommonQuery = Static<typeof CommonQuery>;

const breakdowns = Object.fromEntries(
	Object.entries(deviceShapes).map(([field, shape]) => [field, Type.Array(Row(shape), { maxItems: 100 })]),
);

/** Answer of `/stats/devices`. */
export const DevicesAnswer = Success(
	Type.Object({
		...breakdowns,
		comparison: Type.Optional(Type.Object(breakdowns, { description: "Only with `compare`" })),
	}),
);

/** The type in `/stats/microconversions/{type}`. */
export const TypePath = Type.Object({ type: Type.String({ description: "Type of the event" }) });

const lists = Object.entries(typeLists).map(([field, key]) => {
	const labels = Object.fromEntries(Object.keys(key).map((name) => [name, Type.String()]));
	const part = Type.Object({ ...labels, count: Type.Integer(), percentage: Type.Number() });
	return [field, Type.Array(part, { maxItems: 100 })];
});

/** Answer of `/stats/microconversions/{type}`. */
export const TypeAnswer = Success(
	Type.Object({
		conversion_type: Type.String(),
		date_from: Type.String({ format: "date" }),
		date_to: Type.String({ format: "date" }),
		totals: Type.Object({ count: Type.Integer() }),
		...Object.fromEntries(lists),
	}),
);

/** Answer of `/stats/microconversions-types`. */
export const TypesAnswer = Success(Type.Array(Type.String()));
