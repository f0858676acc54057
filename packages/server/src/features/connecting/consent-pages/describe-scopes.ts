/** What a scope lets an app do, in words for the person who is asked. */
const words: Readonly<Record<string, string>> = {
	"analytics:read":
		"Read every report of the site that you choose: visits, pages, sources, countries, devices, conversions and revenue, and how the site is set up",
	offline_access: "Keep this access while you are away, until you end it or it is not used for 30 days",
};

/** Sentences on what is asked; a scope without words is shown as it is, so that nothing is granted unseen. */
export const describeScopes = (scopes: readonly string[]): string[] => scopes.map((scope) => words[scope] ?? scope);
