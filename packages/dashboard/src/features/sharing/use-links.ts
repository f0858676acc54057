import type { Routes } from "../../api/api.generated.ts";
import { type Answer, call } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { t } from "./texts.ts";

/** A shared link as its site's admins see it. */
export type Link = Answer<"GET /sites/{id}/share-links">[number];
/** Editable fields of a share link. */
export type LinkInput = Routes["POST /sites/{id}/share-links"]["body"];
type LinkChange = Routes["PATCH /sites/{id}/share-links/{link_id}"]["body"];

const route = "GET /sites/{id}/share-links";

/** The shared links of a site. */
export const linksQuery = (id: string) => read(route, { path: { id } });

const patch = (id: string, link: Link, body: LinkChange) =>
	call("PATCH /sites/{id}/share-links/{link_id}", { path: { id, link_id: link.id }, body });

/** A change that restores a link; its password cannot be read back. */
const before = ({ name, segment_id, lists, may_filter, embed_origins, expires_at }: Link): LinkChange => ({
	...{ name, segment_id, lists: [...lists], may_filter, embed_origins: [...embed_origins] },
	// An end that is over is none that can be set.
	...((expires_at === null || Date.parse(expires_at) > Date.now()) && { expires_at }),
});

/** Changes of a site's shared links. */
export function useLinks(id: string) {
	const stale = [route];
	const create = useChange({
		run: (body: LinkInput) => call("POST /sites/{id}/share-links", { path: { id }, body }),
		stale,
	});
	const change = useChange({
		run: ({ link, body }: { readonly link: Link; readonly body: LinkChange }) => patch(id, link, body),
		stale,
		done: ({ name }) => t.changed(name),
		undo: (_, { link }) => patch(id, link, before(link)),
	});
	const turn = useChange({
		run: (link: Link) => patch(id, link, { is_active: !link.is_active }),
		stale,
		done: ({ name, is_active }) => (is_active ? t.isOn(name) : t.isOff(name)),
		undo: (_, link) => patch(id, link, { is_active: link.is_active }),
	});
	const renew = useChange({
		run: (link: Link) => call("POST /sites/{id}/share-links/{link_id}/renew", { path: { id, link_id: link.id } }),
		stale,
	});
	const remove = useChange({
		run: (link: Link) => call("DELETE /sites/{id}/share-links/{link_id}", { path: { id, link_id: link.id } }),
		stale,
		done: (_, { name }) => t.removed(name),
	});
	return { create, change, turn, renew, remove };
}
