import { type Html, html } from "./html.ts";

/** A line that is typed into a form. */
export interface TextField {
	/** Name in the form, and id in the page. */
	readonly name: string;
	readonly label: string;
	readonly type?: "text" | "email" | "password";
	/** Value; never given for a password. */
	readonly value?: string;
	readonly autocomplete: string;
	readonly isOptional?: boolean;
	readonly minLength?: number;
	readonly maxLength: number;
	readonly hint?: string;
	readonly fault?: string | undefined;
}

/** A labelled input; hint and error belong to it for screen readers. The first faulty one gets the focus. */
export function textField(field: TextField, isFirstFault = false): Html {
	const { name, label, type = "text", value, autocomplete, isOptional, minLength, maxLength, hint, fault } = field;
	const described = [fault !== undefined && `${name}-fault`, hint !== undefined && `${name}-hint`].filter(Boolean);
	return html`<div class="field">
<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${fault !== undefined && html`<p class="fault" id="${name}-fault">${fault}</p>`}
<input id="${name}" name="${name}" type="${type}"${value !== undefined && html` value="${value}"`} autocomplete="${autocomplete}" maxlength="${maxLength}"${minLength !== undefined && html` minlength="${minLength}"`}${!isOptional && html` required`}${described.length > 0 && html` aria-describedby="${described.join(" ")}"`}${fault !== undefined && html` aria-invalid="true"`}${isFirstFault && html` autofocus`}>
</div>`;
}

/** Inputs one below the other. */
export function textFields(fields: readonly TextField[]): Html {
	const first = fields.find(({ fault }) => fault !== undefined);
	return html`${fields.map((field) => textField(field, field === first))}`;
}

/** Error of the whole form, above it; errors of fields are shown at the fields. */
export const errorBox = (message: string): Html =>
	html`<div class="error" role="alert"><p>${sentence(message)}</p></div>`;

/** The message of an error as a sentence. */
export const sentence = (message: string): string => message.replace(/[^.!?]$/, "$&.");

/** Fields that the form carries without showing them. */
export const hiddenFields = (values: Readonly<Record<string, string>>): Html =>
	html`${Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
