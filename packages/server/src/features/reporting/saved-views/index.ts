/** Saved views: the questions that people keep and share with their colleagues. */

export { registerSavedViews } from "./saved-views.ts";
