import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../api/client.ts";
import { read } from "../../api/read.ts";

export const deletionsRoute = "GET /sites/{id}/data-deletions";

/** Something that was deleted, or is. */
export type Deletion = Answer<typeof deletionsRoute>["deletions"][number];

const LOOK_MS = 2_000;

/** True as long as there is more to come. */
export const isUnderWay = ({ status }: Deletion): boolean => status === "pending" || status === "running";

/** Deletions of a site, polled while one is in progress. */
export const deletionsQuery = (id: string) =>
	queryOptions({
		...read(deletionsRoute, { path: { id } }),
		refetchInterval: ({ state }) => (state.data?.deletions.some(isUnderWay) ? LOOK_MS : false),
	});
