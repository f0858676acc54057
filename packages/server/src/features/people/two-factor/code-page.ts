import { type FormTrouble, isTroubled } from "../../../platform/http/pages/faults.ts";
import { form, troubleBox, withButton } from "../../../platform/http/pages/form.ts";
import { textField } from "../../../platform/http/pages/form-fields.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";

interface CodeForm {
	/** Says what the sign-in is for. */
	readonly purpose?: Html;
	/** Where the form goes. */
	readonly action: string;
	readonly hidden: Readonly<Record<string, string>>;
	/** Where the first step is. */
	readonly firstStep: string;
	readonly trouble: FormTrouble;
}

/** The form for the second step of a sign-in. */
export const codePage = ({ purpose, action, hidden, firstStep, trouble }: CodeForm): Page => ({
	title: "Enter your code",
	hasErrors: isTroubled(trouble),
	body: html`${purpose !== undefined && html`${purpose}\n`}${troubleBox(trouble)}
${form(action, { hidden, body: withButton("Continue", codeField(trouble.faults?.code)) })}
<div class="aside"><p><a href="${firstStep}">Sign in again</a></p></div>`,
});

const codeField = (fault: string | undefined): Html =>
	textField({
		name: "code",
		label: "Code",
		autocomplete: "one-time-code",
		maxLength: 14,
		hint: "The six digits that your authenticator app shows, or one of your backup codes.",
		fault,
	});
