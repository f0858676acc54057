import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { changedFields, recordAudit } from "../../auditing/audit-log/index.ts";
import type { AllowlistChange } from "./change-allowlist.ts";
import type { PatternRow } from "./store.ts";

/** The fields of a pattern as the audit log shows them. */
const fieldsOf = ({ pattern, pattern_type, label, description, is_active }: PatternRow) => ({
	pattern,
	pattern_type,
	label,
	description,
	is_active: is_active === 1,
});

/** Records a pattern made, changed or removed. */
export async function auditPattern(
	metadata: Metadata,
	{ actor, siteId }: AllowlistChange,
	change: { readonly before?: PatternRow; readonly after?: PatternRow },
	nowMs: number,
): Promise<void> {
	const { before, after } = change;
	const resource = { resourceId: (after ?? before)?.id ?? "", siteId };
	if (before !== undefined && after !== undefined) {
		const details = changedFields(fieldsOf(before), fieldsOf(after));
		await recordAudit(metadata, actor, { action: "ip_pattern.updated", ...resource, details }, nowMs);
	} else if (after !== undefined) {
		const { pattern, pattern_type } = after;
		const details = { pattern, pattern_type };
		await recordAudit(metadata, actor, { action: "ip_pattern.created", ...resource, details }, nowMs);
	} else if (before !== undefined) {
		const { pattern, pattern_type } = before;
		const details = { pattern, pattern_type };
		await recordAudit(metadata, actor, { action: "ip_pattern.deleted", ...resource, details }, nowMs);
	}
}
