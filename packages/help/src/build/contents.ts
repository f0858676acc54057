/** A page in the table of contents: its path below `/help`, its name there, and its subject. */
interface Entry {
	readonly path: string;
	readonly name: string;
	readonly about: string;
}

/** Pages that belong together. */
export interface Group {
	readonly title: string;
	readonly entries: readonly Entry[];
}

/** The order of the pages. One that is not named here stands in a group of its own at the end. */
export const contents: readonly Group[] = [
	{
		title: "Begin",
		entries: [
			{ path: "install", name: "Installing", about: "From nothing to the first hit, on a machine or in a container" },
			{
				path: "tracker",
				name: "The tracker",
				about: "The tag of your pages, events, purchases, single-page applications",
			},
			{
				path: "troubleshooting",
				name: "Troubleshooting",
				about: "When no hits come, figures differ, or a start fails",
			},
			{ path: "changelog", name: "What is new", about: "Changes that users notice" },
		],
	},
	{
		title: "Read figures",
		entries: [
			{ path: "dashboard", name: "The dashboard", about: "Reports, filters, keys, and what each screen is for" },
			{ path: "metrics", name: "Metrics and dimensions", about: "What each figure means, with its SQL" },
			{ path: "attribution", name: "Attribution", about: "Where a visit comes from, and how channels are made" },
			{ path: "insights", name: "Insights and reports", about: "What stands out, found by itself" },
			{ path: "assistant", name: "The assistant", about: "Questions in words" },
			{ path: "alerts", name: "Alerts, goals, mail reports", about: "What tells you without being asked" },
		],
	},
	{
		title: "Connect",
		entries: [
			{ path: "api", name: "API", about: "How to ask, with every answer shown" },
			{ path: "connect", name: "Apps and assistants", about: "OAuth, and tools for AI assistants (MCP)" },
			{ path: "webhooks", name: "Webhooks", about: "Signed events for a server of yours" },
			{ path: "bigquery", name: "BigQuery", about: "A site's figures in tables of yours" },
			{ path: "imports", name: "Imports", about: "The past, from logs and other tools" },
			{ path: "migration", name: "Migration jobs", about: "Moving over from another service" },
		],
	},
	{
		title: "Run the service",
		entries: [
			{ path: "operations", name: "Operations", about: "Settings, backups, growth, monitoring, updates" },
			{ path: "upgrade", name: "Upgrading", about: "From any release to this one, with notes by release" },
			{ path: "capacity", name: "Capacity", about: "What machine how many hits need, and what breaks first" },
			{ path: "billing", name: "Billing", about: "Plans, usage, and selling them" },
			{ path: "privacy", name: "Privacy", about: "What is stored of visitors, and what is not" },
			{ path: "security", name: "Security", about: "How the service is protected, requirement by requirement" },
			{ path: "security-policy", name: "Reporting a weakness", about: "Whom to tell, and what happens then" },
			{ path: "benchmarks", name: "Benchmarks", about: "How fast, how large, on which machine" },
		],
	},
	{
		title: "Change the code",
		entries: [
			{ path: "architecture", name: "Architecture", about: "How the parts fit together" },
			{ path: "contributing", name: "Contributing", about: "Setting up, and what a change needs" },
			{ path: "glossary", name: "Glossary", about: "The terms of the product and the code" },
			{ path: "decisions", name: "Decisions", about: "Choices that would surprise a reader, with their reasons" },
		],
	},
];
