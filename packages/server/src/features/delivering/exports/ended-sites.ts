import type { SiteRow } from "../../tenancy/sites/index.ts";
import type { ExportRow } from "./store.ts";

/**
 * True for an export requested before its site was deleted: deleting a site ends its exports, and its members may still
 * request new files. The last change of a deleted site is its deletion, or came after it.
 */
export const endedWithSite = (
	site: Pick<SiteRow, "is_active" | "updated_at">,
	{ created_at: createdAt }: Pick<ExportRow, "created_at">,
): boolean => site.is_active !== 1 && createdAt <= (site.updated_at ?? createdAt);
