import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Answer, call, type Query } from "../../api/client.ts";

/** A user as superadmins see them. */
export type User = Answer<"GET /users">["users"][number];

/** One page of all users. */
export const usersQuery = (query: Query<"GET /users">) =>
	queryOptions({
		queryKey: ["GET /users", query],
		queryFn: ({ signal }) => call("GET /users", { query, signal }),
		placeholderData: keepPreviousData,
	});
