const crud = ["created", "updated", "deleted"] as const;

const verbs = {
	organization: [...crud, "purged"],
	member: crud,
	site: [...crud, "purged"],
	goal: ["earlier_visits_counted"],
	domain: crud,
	utm_mapping: crud,
	segment: crud,
	annotation: crud,
	saved_view: crud,
	channel_rule: crud,
	passthrough: crud,
	referrer_mapping: crud,
	alert_rule: crud,
	webhook: [...crud, "secret_rotated"],
	mail_report: crud,
	share_link: [...crud, "renewed"],
	ip_pattern: crud,
	blocklist: crud,
	bigquery: crud,
	user: [
		"created",
		"updated",
		"activated",
		"deactivated",
		"login",
		"logout",
		"password_changed",
		"password_reset",
		"email_verified",
		"email_change_requested",
		"email_change_withdrawn",
		"email_change_confirmed",
		"email_changed",
		"2fa_enabled",
		"2fa_disabled",
		"backup_codes_regenerated",
		"impersonation_started",
		"impersonation_ended",
	],
	session: ["revoked"],
	token: ["created", "revoked"],
	invitation: ["sent", "resent", "revoked", "accepted"],
	ip_allowlist: ["settings_updated"],
	lens: ["settings_updated"],
	plan: ["changed"],
	oauth_grant: ["approved", "revoked"],
	import: ["started", "undone"],
	data_deletion: ["started"],
	export: ["created"],
	migration: ["started"],
	job: ["retried"],
} as const satisfies Record<string, readonly string[]>;

type Verbs = typeof verbs;

export type AuditAction = { [Resource in keyof Verbs]: `${Resource}.${Verbs[Resource][number]}` }[keyof Verbs];

/** A resource whose records are created, updated and deleted. */
export type AuditResource = {
	[Resource in keyof Verbs]: (typeof crud)[number] extends Verbs[Resource][number] ? Resource : never;
}[keyof Verbs];

/** Every action with the kind of thing that it is about, by their names. */
export const auditActions: readonly { readonly action: string; readonly resource_type: string }[] = Object.entries(
	verbs,
)
	.flatMap(([resource, done]) => done.map((verb) => ({ action: `${resource}.${verb}`, resource_type: resource })))
	.sort((a, b) => (a.action < b.action ? -1 : 1));
