import { useQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import type { Site } from "../site/index.ts";
import { type Diagnosis, diagnose } from "./diagnosis.ts";

const windowMinutes = 15;
/** How often is looked while something is awaited, and once it works. */
const everyMs = { waiting: 2_500, working: 10_000 };

/** State of a site's installation. */
export interface Doctor {
	readonly diagnosis: Diagnosis | undefined;
	readonly lastHitAt: string | null;
	/** False where hits are collected by another process, so that refusals are not known here. */
	readonly knowsCauses: boolean;
	readonly failure: Error | null;
	readonly again: () => void;
}

/** Looks at what arrives at a site, again and again while the page is seen. */
export function useDoctor({ id, domains }: Pick<Site, "id" | "domains">): Doctor {
	const { data, error, refetch } = useQuery({
		queryKey: ["doctor", id],
		queryFn: ({ signal }) => look(id, signal),
		refetchInterval: ({ state }) =>
			state.data !== undefined && state.data.rejections.accepted > 0 ? everyMs.working : everyMs.waiting,
	});
	return {
		diagnosis: data && diagnose(data.status, data.rejections, { domains, now: Date.now() }),
		lastHitAt: data?.status.last_hit_at ?? null,
		knowsCauses: data?.rejections.available ?? true,
		failure: data === undefined ? error : null,
		again: () => void refetch(),
	};
}

async function look(id: string, signal: AbortSignal) {
	const path = { id };
	const [status, rejections] = await Promise.all([
		call("GET /sites/{id}/pixel/status", { path, signal }),
		call("GET /sites/{id}/pixel/rejections", { path, query: { minutes: windowMinutes }, signal }),
	]);
	return { status, rejections };
}
