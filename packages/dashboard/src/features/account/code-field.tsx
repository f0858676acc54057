import { Field } from "../../ui/field/field.tsx";
import { t } from "./security-texts.ts";

/** Asks for the code that the app shows now. */
export const CodeField = () => (
	<Field
		label={t.code}
		hint={t.codeHint}
		name="code"
		inputMode="numeric"
		autoComplete="one-time-code"
		minLength={6}
		maxLength={8}
		required
		autoFocus
	/>
);
