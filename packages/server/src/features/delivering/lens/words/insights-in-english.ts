import type { InsightTexts, Told } from "./told.ts";

const weeks = ({ value, baseline }: Told) => `${value} in the last 7 days, ${baseline} in the 7 before.`;

export const insightsInEnglish: InsightTexts = {
	tracking_broken: {
		group: "Tracking",
		title: () => "No hits for 24 hours",
		description: ({ baseline }) => `Nothing has arrived since yesterday; ${baseline} hits a day are usual.`,
		recommendation: () =>
			"Check that the site is up and that its pages still load the snippet: a new template, a consent banner or a content policy may have taken it away.",
	},
	traffic_drop: {
		group: "Fewer visits",
		title: ({ change }) => `Visits fell by ${change}`,
		description: (told) => `Visits: ${weeks(told)}`,
		recommendation: () =>
			"See which sources and landing pages lost visits. When all of them did, check that every page still has the snippet.",
	},
	traffic_spike: {
		group: "More visits",
		title: ({ change }) => `Visits rose by ${change}`,
		description: (told) => `Visits: ${weeks(told)}`,
		recommendation: () => "See where the new visits come from and whether they convert: what works can be done again.",
	},
	conversion_drop: {
		group: "Lower conversion rate",
		title: ({ change }) => `The conversion rate fell by ${change}`,
		description: (told) => `Conversions per visit: ${weeks(told)}`,
		recommendation: () =>
			"Go through the checkout yourself, on a phone too, and look at what changed on its pages in these days.",
	},
	conversion_spike: {
		group: "Higher conversion rate",
		title: ({ change }) => `The conversion rate rose by ${change}`,
		description: (told) => `Conversions per visit: ${weeks(told)}`,
		recommendation: () => "Find out what changed, and send more visits to the pages that gained.",
	},
	revenue_drop: {
		group: "Less revenue",
		title: ({ change }) => `Revenue fell by ${change}`,
		description: (told) => `Revenue: ${weeks(told)}`,
		recommendation: () =>
			"Look whether there are fewer visits, fewer orders per visit, or smaller orders: each has another cause.",
	},
	revenue_spike: {
		group: "More revenue",
		title: ({ change }) => `Revenue rose by ${change}`,
		description: (told) => `Revenue: ${weeks(told)}`,
		recommendation: () => "See which sources brought it, and whether a few large orders did.",
	},
	bounce_rate_rise: {
		group: "Higher bounce rate",
		title: ({ change }) => `The bounce rate rose by ${change}`,
		description: (told) => `Visits with a single page: ${weeks(told)}`,
		recommendation: () =>
			"Look at the landing pages with the most visits: do they load fast and say what was promised?",
	},
	channel_drop: {
		group: "Channels with fewer visits",
		title: ({ entity, change }) => `${entity}: ${change} fewer visits`,
		description: (told) => `Visits from the channel ${told.entity}: ${weeks(told)}`,
		recommendation: ({ entity }) => `Check what changed in ${entity}: budgets, rankings, links, tagging.`,
	},
	campaign_drop: {
		group: "Campaigns with fewer visits",
		title: ({ entity, change }) => `Campaign ${entity}: ${change} fewer visits`,
		description: (told) => `Visits from the campaign ${told.entity}: ${weeks(told)}`,
		recommendation: () => "Check that the campaign still runs, has budget left, and that its links carry their tags.",
	},
	country_shift: {
		group: "Countries whose share changed",
		title: ({ entity, value, baseline }) => `${entity}: ${value} of the visits, ${baseline} before`,
		description: (told) => `Share of the visits from ${told.entity}: ${weeks(told)}`,
		recommendation: ({ isRise }) =>
			isRise
				? "See which source brings these visits, and whether they are people whom you can serve."
				: "See which source lost these visits: a campaign for this country may have ended.",
	},
	device_gap: {
		group: "Devices that convert less",
		title: ({ entity, other }) => `${entity} converts at less than half the rate of ${other}`,
		description: ({ entity, other, value, baseline }) =>
			`Conversions per visit: ${value} on ${entity}, ${baseline} on ${other}.`,
		recommendation: ({ entity }) => `Buy something on ${entity} yourself: forms, payment and speed differ most.`,
	},
	landing_page_bounce: {
		group: "Landing pages with a higher bounce rate",
		title: ({ entity, change }) => `${entity}: the bounce rate rose by ${change}`,
		description: (told) => `Visits that begin at ${told.entity} and see no second page: ${weeks(told)}`,
		recommendation: () => "Open the page as its visitors do: is it whole, fast, and what the link to it promises?",
	},
	concentration_risk: {
		group: "Sources that most visits hang on",
		title: ({ entity, value }) => `${value} of the visits come from ${entity}`,
		description: ({ entity, limit }) => `Should ${entity} change, most visits go with it. Up to ${limit} is usual.`,
		recommendation: () => "Build up a second source: a newsletter, search, or partners.",
	},
	data_health: {
		group: "Refused hits",
		title: ({ value }) => `${value} of the hits were refused`,
		description: ({ value, limit }) =>
			`In the last 24 hours ${value} of the hits were not counted; up to ${limit} is usual.`,
		recommendation: () =>
			"The installation page names the reasons and the hosts: a domain that is missing there is the most frequent one.",
	},
	bot_share: {
		group: "Bots",
		title: ({ value }) => `${value} of the hits look like bots`,
		description: ({ value, baseline }) => `Suspicious hits: ${value} in the last 7 days, ${baseline} in the 7 before.`,
		recommendation: () => "Look at the scores, and lower the threshold of the site when some of them are counted.",
	},
};
