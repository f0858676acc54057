import { Type } from "typebox";
import { currentWork } from "../../../analytics/query/engine/engine-work.ts";

/** What `explain` adds to the `meta` of an answer. */
export const Explanation = Type.Object(
	{
		sql: Type.String({
			description:
				"The statements, their values as placeholders; several are separated by a semicolon and an empty line",
		}),
		engine_ms: Type.Number({ description: "Milliseconds that the engine worked; 0 where it had answered this before" }),
	},
	{ description: "Only with `explain`" },
);

/** How the answer to the request at hand was made, where it asks for that. */
export function explained({ explain = false }: { readonly explain?: boolean }) {
	const work = currentWork();
	if (!explain || work === undefined) return {};
	return { sql: work.sql.join(";\n\n"), engine_ms: Math.round(work.ms * 10) / 10 };
}
