import { useState } from "react";
import { dropDraft, keepDraftOf, keptDraft } from "./form-draft.ts";

/**
 * A part of a draft that is no field of its form: kept in this tab until the form is sent, as its fields are. Under
 * another name it is another one, so the component that has it gets a `key`.
 */
export function useKept<T>(name: string, initial: T): readonly [T, (value: T) => void, forget: () => void] {
	const [value, setValue] = useState<T>(() => keptDraft<T>(name) ?? initial);
	const keep = (next: T) => {
		keepDraftOf(name, next);
		setValue(next);
	};
	return [value, keep, () => dropDraft(name)];
}
