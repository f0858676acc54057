import { type Answer, call } from "../../api/client.ts";
import { forEditing, read } from "../../api/read.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { t } from "./manage-texts.ts";
import { freeName, nameFor } from "./segment-name.ts";
import type { Segment } from "./segment-words.ts";

/** A segment with what it chooses. */
export type WholeSegment = Answer<"GET /segments/{id}">;
/** Editable fields. The slug is created once and never changes. */
type SegmentFields = Pick<WholeSegment, "display_name" | "description" | "color" | "filters">;

/** One segment as it is now. */
export const segmentQuery = (site: string, id: string) => ({
	...read("GET /segments/{id}", { path: { id }, query: { account_id: site } }),
	...forEditing,
});

/** Changes of segments, each of which can be taken back; `segments` are those that are there. */
export function useSegments(site: string, segments: readonly Segment[]) {
	const query = { account_id: site };
	const stale = ["GET /segments"];
	const taken = segments.map(({ name }) => name);
	const create = (body: SegmentFields & { readonly name: string }) => call("POST /segments", { query, body });
	const find = (id: string) => call("GET /segments/{id}", { path: { id }, query });
	const write = (id: string, body: SegmentFields) => call("PATCH /segments/{id}", { path: { id }, query, body });
	const drop = ({ id }: { readonly id: string }) => call("DELETE /segments/{id}", { path: { id }, query });
	return {
		add: useChange({
			run: (fields: SegmentFields) => create({ ...fields, name: freeName(nameFor(fields.display_name), taken) }),
			stale,
			done: ({ display_name: name }) => t.added(name),
			undo: drop,
		}),
		change: useChange({
			run: ({ segment, to }: { readonly segment: WholeSegment; readonly to: SegmentFields }) => write(segment.id, to),
			stale,
			done: ({ display_name: name }) => t.changed(name),
			undo: (_, { segment }) => write(segment.id, fieldsOf(segment)),
		}),
		duplicate: useChange({
			run: ({ id, name }: Segment) =>
				call("POST /segments/{id}/duplicate", {
					path: { id },
					query: { ...query, new_name: freeName(name, taken) },
				}),
			stale,
			done: ({ display_name: name }) => t.duplicated(name),
			undo: drop,
		}),
		remove: useChange({
			run: async ({ id }: Segment) => {
				const before = await find(id);
				await drop({ id });
				return before;
			},
			stale,
			done: ({ display_name: name }) => t.removed(name),
			undo: (before) => create({ ...fieldsOf(before), name: before.name }),
		}),
	};
}

const fieldsOf = ({ display_name, description, color, filters }: WholeSegment): SegmentFields => ({
	display_name,
	description,
	color,
	filters,
});
