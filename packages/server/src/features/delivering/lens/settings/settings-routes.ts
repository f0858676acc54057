import { Type } from "typebox";
import { AccountQuery, readingAccount, roleReaches, writingAccount } from "../../../../access/index.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import { Nullable, OneOf, Timestamp } from "../../../../platform/http/schemas.ts";
import { given } from "../../../../platform/lib/given.ts";
import { timestampOrNull } from "../../../../platform/lib/timestamp.ts";
import { changedFields } from "../../../auditing/audit-log/index.ts";
import { normalizeEmail } from "../../../people/users/index.ts";
import { changeInTurn, type SiteChange, siteChangeOf } from "../../../tenancy/organizations/index.ts";
import type { WatchDeps } from "../../mail-recipients/index.ts";
import { askStrangers } from "../../mail-recipients/index.ts";
import { analysisFrequencies, findSettings, type Settings, type StoredSettings, storeSettings } from "../store.ts";

const audited = ({ created_at: _, updated_at: __, ...settings }: StoredSettings) => settings;

/** Changes the settings given. Recipients who have nothing to do with the site are asked first. */
function changeSettings(deps: WatchDeps, by: SiteChange, changes: Partial<Settings>): Promise<StoredSettings> {
	return changeInTurn(deps, by, async (trx, now) => {
		const siteId = by.site.id;
		const before = await findSettings(trx, siteId);
		const emails = changes.email_recipients && [...new Set(changes.email_recipients.map(normalizeEmail))];
		const settings = { ...before, ...changes, ...(emails && { email_recipients: emails }) };
		await storeSettings(trx, siteId, settings, now);
		if (emails !== undefined) await askStrangers(deps, trx, { siteId, emails });
		const details = changedFields(audited(before), audited(settings));
		const answer = await findSettings(trx, siteId);
		return { answer, entry: { action: "lens.settings_updated", resourceId: siteId, details } };
	});
}

const fields = {
	is_enabled: Type.Boolean({ description: "Whether insights are on" }),
	notify_email: Type.Boolean({ description: "Whether mails are on" }),
	notify_on_red: Type.Boolean(),
	notify_on_yellow: Type.Boolean(),
	notify_on_green: Type.Boolean(),
	email_recipients: Type.Array(Type.String({ format: "email" }), {
		maxItems: 20,
		description:
			"Mail recipients. Empty: insights are mailed to the owners of the organization, reports to nobody. Recipients who are not users of the site must confirm first",
	}),
	analysis_frequency: OneOf(analysisFrequencies, {
		description: "At 6:00 in the site's time zone, every day or on Mondays; `manual`: only on request",
	}),
};

const SettingsBody = Type.Partial(Type.Object(fields), { minProperties: 1 });

const SettingsAnswer = Type.Object({
	account_id: Type.String(),
	...fields,
	email_recipients: Type.Array(Type.String(), { description: "Empty for users who may not change them" }),
	created_at: Nullable(Timestamp(), { description: "Null until first changed" }),
	updated_at: Nullable(Timestamp()),
});

const presentSettings = (siteId: string, settings: StoredSettings, mayChange: boolean) => ({
	account_id: siteId,
	...settings,
	email_recipients: mayChange ? [...settings.email_recipients] : [],
	created_at: timestampOrNull(settings.created_at),
	updated_at: timestampOrNull(settings.updated_at),
});

const settingNames = Object.keys(fields) as (keyof typeof fields)[];

export function registerSettings(app: App, deps: WatchDeps): void {
	const reading = { tags: ["Insights"], querystring: AccountQuery, guard: readingAccount("viewer") };
	addRoute(app, "GET /lens/settings", {
		...reading,
		summary: "Settings of insights",
		data: SettingsAnswer,
		handler: async ({ site }) =>
			presentSettings(site.id, await findSettings(deps.metadata, site.id), roleReaches(site.role, "editor")),
	});
	addRoute(app, "PATCH /lens/settings", {
		...reading,
		summary: "Change the settings of insights",
		body: SettingsBody,
		guard: writingAccount("editor"),
		data: SettingsAnswer,
		handler: async (request) => {
			const settings = await changeSettings(deps, siteChangeOf(request), given(request.body, settingNames));
			return presentSettings(request.site.id, settings, true);
		},
	});
}
