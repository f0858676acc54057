import { queryOptions } from "@tanstack/react-query";
import { read } from "../../api/read.ts";

/** Whether the reader acts as somebody else. */
export const actingQuery = queryOptions({ ...read("GET /auth/impersonation-status"), staleTime: 60_000 });
