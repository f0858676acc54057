import { queryOptions } from "@tanstack/react-query";
import { type Answer, call, type Input, type Route } from "./client.ts";

type ReadInput<R extends Route> = Omit<Input<R>, "signal">;

/** A read of the API as a query, whose key begins with its route: whoever changes the data invalidates that. */
export const read = <R extends Route>(
	route: R,
	...[input]: Partial<ReadInput<R>> extends ReadInput<R> ? [ReadInput<R>?] : [ReadInput<R>]
) =>
	queryOptions<Answer<R>>({
		queryKey: input === undefined ? [route] : [route, input],
		queryFn: ({ signal }) => call<Route>(route, { ...input, signal } as Input<Route>) as Promise<Answer<R>>,
	});

/** Options of a record that is edited: it must be current, and must not change meanwhile. */
export const forEditing = { staleTime: 0, gcTime: 0, refetchOnWindowFocus: false } as const;
