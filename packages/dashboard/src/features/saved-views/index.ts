import { lazily } from "../../lib/lazily.ts";

export { SavedViews } from "./saved-views.tsx";
export const SavedChoices = lazily(async () => ({ default: (await import("./saved-choices.tsx")).SavedChoices }));
