import { type Static, Type } from "typebox";
import { Nullable, OneOf } from "../../../platform/http/schemas.ts";

const Cell = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);
const Chart = Type.Object({
	type: OneOf(["line", "bar"]),
	title: Type.String({ examples: ["Sources"] }),
	data: Type.Array(Type.Record(Type.String(), Cell), { examples: [[{ utm_source: "google", entrances: 412 }]] }),
	x_key: Type.String({ description: "Field of `data` along the axis", examples: ["utm_source"] }),
	y_key: Type.String({ description: "Field of `data` to draw", examples: ["entrances"] }),
	y_label: Nullable(Type.String(), { description: "Unit; null = a count", examples: [null] }),
});
const Table = Type.Object({
	title: Type.String({ examples: ["Sources"] }),
	columns: Type.Array(Type.String(), { examples: [["utm_source", "entrances"]] }),
	rows: Type.Array(Type.Array(Cell), { examples: [[["google", 412]]] }),
});
const UsedTool = Type.Object({
	tool_name: Type.String({ examples: ["get_sources"] }),
	success: Type.Boolean(),
	duration_ms: Type.Integer(),
	arguments: Type.Record(Type.String(), Type.Unknown(), {
		description: "As given by the model, without the site",
		examples: [{ period: "7d" }],
	}),
});
export type Cell = Static<typeof Cell>;
export type Chart = Static<typeof Chart>;
export type Table = Static<typeof Table>;

export const shown = {
	tools_used: Type.Array(UsedTool),
	charts: Type.Array(Chart, { description: "Created by the service from the answers of the tools" }),
	tables: Type.Array(Table, { description: "Created by the service from the answers of the tools" }),
};
/** Results shown below an answer, in the form in which they are stored. */
const Results = Type.Object(shown);
export type Results = Static<typeof Results>;
