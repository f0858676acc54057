import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { withoutLinks } from "../../../../platform/outbound/mail/plain-text.ts";
import type { LensDeps } from "../deps.ts";
import { deepLink } from "../insights/deep-link.ts";
import { byWeight, type Insight, insightOf } from "../insights/insight.ts";
import { listInsights } from "../insights/insights-store.ts";
import type { Severity } from "../rules/finding.ts";
import type { Settings } from "../settings/settings-store.ts";
import { wordsOf } from "../words/insight-words.ts";
import { numbersIn } from "../words/numbers.ts";
import { type Content, mailAll } from "./mail-all.ts";
import { ownersOf, siteWords } from "./mails-store.ts";

/** Most insights in a mail; it links to the page with all. */
const MOST = 10;

const wants = (settings: Settings, severity: Severity): boolean =>
	({ red: settings.notifyOnRed, yellow: settings.notifyOnYellow, green: settings.notifyOnGreen })[severity];

/** Mails what a run found, in its transaction: one mail for all that is new and wished for, to those named or the owners. */
export async function tellInsights(
	deps: LensDeps,
	trx: Metadata,
	{ siteId, settings, ids }: { readonly siteId: string; readonly settings: Settings; readonly ids: readonly string[] },
): Promise<void> {
	if (!settings.notifyEmail || ids.length === 0) return;
	const rows = await listInsights(trx, { siteId, nowMs: deps.clock.now() });
	const told = rows
		.filter(({ id, severity }) => ids.includes(id) && wants(settings, severity))
		.map(insightOf)
		.sort(byWeight);
	const site = await siteWords(trx, siteId);
	if (told.length === 0 || site === undefined) return;
	const { emailRecipients: named } = settings;
	const emails = named.length > 0 ? named : await ownersOf(trx, site.organization_id);
	await mailAll(deps, trx, { siteId, emails }, digest(deps, { siteId, ...site }, told));
}

function digest(
	{ rootUrl }: Pick<LensDeps, "rootUrl">,
	site: { readonly siteId: string; readonly name: string; readonly currency: string },
	told: readonly Insight[],
): Content {
	const name = withoutLinks(site.name);
	const shown = told.slice(0, MOST);
	const [first] = shown;
	if (first === undefined) throw new Error("A digest of nothing");
	// The value may be text of a visitor.
	const words = shown.map(({ finding }) => wordsOf(plain(finding), "en", site.currency));
	const numbers = numbersIn("en", site.currency);
	const body = shown.flatMap((insight, index) => {
		const { title = "", description = "", recommendation = "" } = words[index] ?? {};
		const { impact, days } = insight.finding;
		const worth = impact === null ? "" : ` Worth about ${numbers.money(impact)} a week.`;
		const link = `${rootUrl}${deepLink(site.siteId, insight.finding, days)}`;
		return [title, `${description}${worth} ${recommendation}`, { link, label: "View" }];
	});
	const more = told.length - shown.length;
	const [title] = words;
	return {
		subject:
			told.length === 1 ? `${name}: ${title?.title ?? ""}` : `${name}: ${told.length} insights, ${title?.title ?? ""}`,
		body: [
			...body,
			...(more > 0 ? [`And ${more} more.`] : []),
			{ link: `${rootUrl}/sites/${site.siteId}/insights`, label: "All insights" },
		],
	};
}

const plain = ({ entity, other, ...finding }: Insight["finding"]): Insight["finding"] => ({
	...finding,
	entity: entity === null ? null : withoutLinks(entity),
	other: other === null ? null : withoutLinks(other),
});
