import { call, type Input } from "../../api/client.ts";
import { useChange } from "../../ui/form/use-change.ts";
import type { Site } from "../site/index.ts";

type Changes = Input<"PATCH /sites/{id}">["body"];

/** Changes settings of the site, says so, and offers to take it back. */
export function useSiteChange(site: Site, done: (changes: Changes) => string) {
	const patch = (body: Changes) => call("PATCH /sites/{id}", { path: { id: site.id }, body });
	return useChange({
		run: patch,
		stale: ["GET /sites"],
		done: (_, changes) => done(changes),
		undo: (_, changes) => patch(before(site, changes)),
	});
}

/** Previous values of these fields. */
const before = (site: Site, changes: Changes): Changes =>
	Object.fromEntries(Object.keys(changes).map((field) => [field, site[field as keyof Changes & keyof Site]]));
