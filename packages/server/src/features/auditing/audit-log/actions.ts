const settings = [
	"organization",
	"member",
	"site",
	"domain",
	"utm_mapping",
	"segment",
	"annotation",
	"saved_view",
	"channel_rule",
	"passthrough",
	"referrer_mapping",
	"alert_rule",
	"webhook",
	"mail_report",
	"share_link",
	"ip_pattern",
	"blocklist",
	"bigquery",
] as const;

type SettingAction = `${(typeof settings)[number]}.${"created" | "updated" | "deleted"}`;

/** What the audit log records, as `resource.verb`. */
export type AuditAction =
	| SettingAction
	| `user.${"created" | "updated" | "activated" | "deactivated" | "login" | "logout" | "password_changed"}`
	| `user.${"password_reset" | "email_verified" | "2fa_enabled" | "2fa_disabled" | "backup_codes_regenerated"}`
	| `user.${"impersonation_started" | "impersonation_ended"}`
	| "session.revoked"
	| `token.${"created" | "revoked"}`
	| `invitation.${"sent" | "resent" | "revoked" | "accepted"}`
	| "webhook.secret_rotated"
	| "ip_allowlist.settings_updated"
	| "lens.settings_updated"
	| "plan.changed"
	| `oauth_grant.${"approved" | "revoked"}`
	| `import.${"started" | "undone"}`
	| "data_deletion.started"
	| "site.purged"
	| "export.created"
	| "migration.started";
