/** The assistant: questions about a site in words, answered by a model of the operator's choice from the site's reports. */

export type { ModelSettings } from "./model.ts";
export { presentUsage, registerAssistant } from "./routes.ts";
export { forgetConversationsOf, forgetOldConversations } from "./store.ts";
export { giveBonus, usageOf } from "./usage-store.ts";
