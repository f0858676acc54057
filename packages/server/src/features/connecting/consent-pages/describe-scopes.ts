/** Access requested by an app. */
export interface WantedAccess {
	readonly scopes: readonly string[];
	/** False when it will have the tools of the MCP server only, none of which tells of people. */
	readonly opensApi: boolean;
}

const reports =
	"Read every report of the site that you choose: visits, pages, sources, countries, devices, conversions and revenue, and how the site is set up";
const people = "Read the names and e-mail addresses of everybody who has access to that site, you among them";
const anHour = "Do so for an hour; then it has to ask you again";
const offline = "Keep this access while you are away, until you end it or it is not used for 30 days";

/** Meaning of a scope, in words for the user. */
const words: Readonly<Record<string, (asked: WantedAccess) => readonly string[]>> = {
	"analytics:read": ({ opensApi }) => (opensApi ? [reports, people] : [reports]),
	offline_access: () => [offline],
};

/** Sentences on what is asked; a scope without words is shown as it is, so that nothing is granted unseen. */
export function describeScopes(asked: WantedAccess): string[] {
	const told = asked.scopes.flatMap((scope) => words[scope]?.(asked) ?? [scope]);
	return asked.scopes.includes("offline_access") ? told : [...told, anHour];
}
