import type { KeyScope } from "../../../access/index.ts";

interface ScopeDescription {
	readonly name: string;
	readonly description: string;
}

/** Meaning of each scope, in words for the granting user. */
export const scopeDescriptions = {
	"stats:read": { name: "Read statistics", description: "Reports, batch queries and exports of the key's sites" },
	"sites:read": { name: "Read sites", description: "Sites, their domains, UTM mappings and channel rules" },
	"accounts:read": { name: "Read account", description: "The owner's record, organizations, webhooks and API tokens" },
} as const satisfies Record<KeyScope, ScopeDescription>;
