/** What the store process tells its parent. */
export type ChildMessage = { readonly kind: "ready"; readonly port: number } | { readonly kind: "closed" };

/** What the parent tells the store process. */
export type ParentMessage = { readonly kind: "close" };

/** Names of the environment variables that carry the store process's settings: arguments would show them to every user. */
export const childVariables = {
	directory: "FOOTFALL_EVENTS_DIRECTORY",
	secret: "FOOTFALL_EVENTS_SECRET",
	memoryBytes: "FOOTFALL_EVENTS_MEMORY",
} as const;
