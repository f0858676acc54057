/** A value as the audit log keeps it. */
export type AuditValue = string | number | boolean | null | readonly AuditValue[];

type AuditFields = Readonly<Record<string, AuditValue>>;

/** Details of an entry: changed fields as `[old, new]`, or single facts. Never a secret. */
export type AuditDetails = AuditFields;

/** The fields of `after` that differ from `before`, each as `[old, new]`. */
export function changedFields<Fields extends AuditFields>(before: Fields, after: Partial<Fields>): AuditDetails {
	const changes = Object.entries<AuditValue | undefined>(after).flatMap(([field, value]): [string, AuditValue][] => {
		const old = before[field] ?? null;
		return value === undefined || JSON.stringify(old) === JSON.stringify(value) ? [] : [[field, [old, value]]];
	});
	return Object.fromEntries(changes);
}

/** The fields of something new, each as `[null, value]`; empty ones are left out. */
export const addedFields = (fields: AuditFields): AuditDetails => fromEntries(fields, (value) => [null, value]);

/** The fields of something that is removed, each as `[value, null]`; empty ones are left out. */
export const removedFields = (fields: AuditFields): AuditDetails => fromEntries(fields, (value) => [value, null]);

const fromEntries = (fields: AuditFields, shown: (value: AuditValue) => AuditValue): AuditDetails =>
	Object.fromEntries(
		Object.entries(fields).flatMap(([field, value]) => (value === null || value === "" ? [] : [[field, shown(value)]])),
	);
