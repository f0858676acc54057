import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Answer, Query } from "../../api/client.ts";
import { read } from "../../api/read.ts";

/** A user as superadmins see them. */
export type User = Answer<"GET /users">["users"][number];

/** One page of all users. */
export const usersQuery = (query: Query<"GET /users">) =>
	queryOptions({ ...read("GET /users", { query }), placeholderData: keepPreviousData });
