/** Lists of records that a site has: their routes, storage and audit entries from one definition each. */

export type { SiteCollection } from "./collection.ts";
export { choice, field, flag, integer, nullableText, text } from "./collection.ts";
export { collectionAnswers, registerCollection } from "./collection-routes.ts";
