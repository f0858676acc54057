import type { Mail } from "../../../platform/outbound/mail/mailer.ts";
import { withoutLinks } from "../../../platform/outbound/mail/plain-text.ts";
import type { OrganizationRow } from "../organizations/index.ts";
import { priceList } from "./price-list.ts";
import type { UsagePeriodRow } from "./usage-store.ts";

type Text = Pick<Mail, "subject" | "body">;
type Told = Pick<OrganizationRow, "name" | "slug">;

const number = new Intl.NumberFormat("en");
const linkTo = (rootUrl: string, { slug }: Told) => ({
	link: `${rootUrl}/organizations/${slug}/billing`,
	label: "See the usage",
});

/** Says that a share of the plan is used up. */
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
	const used = `${name} has used ${number.format(events)} of the ${number.format(limit)} events that the plan ${priceList[plan].name} has${isForEver ? "" : " for a period"}.`;
	return {
		subject: `${name}: ${percent} % of the plan's events are used`,
		body: [used, consequence(percent, isForEver), linkTo(rootUrl, organization)],
	};
}

function consequence(percent: number, isForEver: boolean): string {
	if (isForEver) {
		return percent < 100
			? "Collection stops when they are used up. Reports stay readable. A larger plan goes on."
			: "Nothing more is collected. Reports stay readable. A larger plan collects again.";
	}
	return percent < 100
		? "Nothing has to be done: collection goes on beyond them."
		: "Collection goes on. One period a calendar year may exceed the plan without consequence.";
}

const sentences = {
	forgiven: "This is the one period of the calendar year that may exceed the plan: nothing follows from it.",
	notified:
		"Please see whether the plan still fits. Growth is followed by Scale after the second such period in a row.",
	upgraded: "It is the second period in a row: from now on the organization is on the plan Scale.",
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
			`From ${start} to ${last} ${name} collected ${number.format(events)} events; the plan ${priceList[plan].name} has ${number.format(limit)}.`,
			sentences[row.action_taken],
			linkTo(rootUrl, organization),
		],
	};
}
