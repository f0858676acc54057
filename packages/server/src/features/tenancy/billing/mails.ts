import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Mail, Mailer } from "../../../platform/outbound/mail/mailer.ts";
import { withoutLinks } from "../../../platform/outbound/mail/plain-text.ts";
import { findUser } from "../../people/users/index.ts";
import { leadersOf, type OrganizationRow } from "../organizations/index.ts";
import { priceList } from "./price-list.ts";
import type { UsagePeriodRow } from "./store.ts";

type Text = Pick<Mail, "subject" | "body">;
type Told = Pick<OrganizationRow, "name" | "slug">;

const number = new Intl.NumberFormat("en");
const linkTo = (rootUrl: string, { slug }: Told) => ({
	link: `${rootUrl}/organizations/${slug}/billing`,
	label: "View usage",
});

export function noticeMail(
	rootUrl: string,
	organization: Told,
	{
		percent,
		plan,
		events,
		limit,
		isForEver,
	}: {
		readonly percent: number;
		readonly plan: OrganizationRow["plan_tier"];
		readonly events: number;
		readonly limit: number;
		readonly isForEver: boolean;
	},
): Text {
	const name = withoutLinks(organization.name);
	const used = `${name} has used ${number.format(events)} of the ${number.format(limit)} events${isForEver ? "" : " per period"} of the ${priceList[plan].name} plan.`;
	return {
		subject: `${name}: ${percent} % of the plan's events used`,
		body: [used, consequence(percent, isForEver), linkTo(rootUrl, organization)],
	};
}

function consequence(percent: number, isForEver: boolean): string {
	if (isForEver) {
		return percent < 100
			? "At the limit, tracking stops. Reports remain available. A larger plan continues tracking."
			: "Tracking has stopped. Reports remain available. A larger plan resumes tracking.";
	}
	return percent < 100
		? "You don't need to do anything: tracking continues over the limit."
		: "Tracking continues over the limit. One period per calendar year is forgiven.";
}

const sentences = {
	forgiven: "This is the one period of the calendar year that is forgiven: nothing changes.",
	notified: "Check whether the plan still fits. A second such period in a row upgrades Growth to Scale.",
	upgraded: "This is the second period in a row: the organization is now on the Scale plan.",
} as const;

/** Notice that an ended period exceeded the plan, and of the consequence. */
export function overageMail(
	rootUrl: string,
	organization: Told,
	row: UsagePeriodRow & { readonly action_taken: keyof typeof sentences },
): Text {
	const name = withoutLinks(organization.name);
	const { period_start: start, period_end: end, total_events: events, event_limit: limit, plan_tier: plan } = row;
	const last = Temporal.PlainDate.from(end).subtract({ days: 1 });
	return {
		subject: `${name} exceeded its plan`,
		body: [
			`From ${start} to ${last}, ${name} collected ${number.format(events)} events; the ${priceList[plan].name} plan includes ${number.format(limit)}.`,
			sentences[row.action_taken],
			linkTo(rootUrl, organization),
		],
	};
}

export async function mailOwners(
	trx: Metadata,
	mailer: Pick<Mailer, "queue">,
	organizationId: string,
	mail: Pick<Mail, "subject" | "body">,
): Promise<void> {
	for (const { userId, role } of await leadersOf(trx, organizationId)) {
		const user = role === "owner" ? await findUser(trx, userId) : undefined;
		if (user === undefined || user.is_active === 0) continue;
		const body = [`Hello ${user.name},`, ...mail.body];
		await mailer.queue(trx, { to: user.email, subject: mail.subject, body });
	}
}
