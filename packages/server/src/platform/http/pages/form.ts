import type { ServiceError } from "../../errors/service-error.ts";
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
const hiddenFields = (values: Readonly<Record<string, string>>): Html =>
	html`${Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;

/** Errors of a form: sentences by field name. */
export type Faults = Readonly<Record<string, string>>;

/** The field errors of an error; `labels` starts each sentence. Faults of other fields are left out. */
export function faultsOf(error: ServiceError, labels: Readonly<Record<string, string>>): Faults {
	const told = (error.detail ?? []).flatMap(({ field, message }) => {
		const name = field.replace(/^body\./, "");
		const label = labels[name];
		return label === undefined ? [] : [[name, `${label} ${message}.`] as const];
	});
	return Object.fromEntries(told);
}

/** True when something is wrong. */
export const hasFaults = (faults: Faults): boolean => Object.keys(faults).length > 0;

/** Errors of a returned form. */
export interface FormTrouble {
	readonly faults?: Faults;
	readonly error?: string;
}

/** True when a form comes back with something to correct. */
export const isTroubled = ({ faults = {}, error }: FormTrouble): boolean => error !== undefined || hasFaults(faults);

/** Errors of a refusal for a form: at its fields where they belong to one, else above it; `labels` begins each sentence. */
export function troubleOf(
	refusal: ServiceError | undefined,
	labels: Readonly<Record<string, string>> = {},
): FormTrouble {
	if (refusal === undefined) return {};
	const faults = faultsOf(refusal, labels);
	return hasFaults(faults) ? { faults } : { error: sentence(refusal.message) };
}

/** A form that goes back to the service. */
export const form = (
	action: string,
	{ hidden = {}, body }: { hidden?: Readonly<Record<string, string>>; body?: Html },
): Html =>
	html`<form method="post" action="${action}">
${hiddenFields(hidden)}
${body}
</form>`;

/** Fields with the button that sends them. */
export const withButton = (label: string, fields?: Html): Html => html`${fields}
<div class="actions"><button class="main" type="submit">${label}</button></div>`;

/** Says above a form that something is wrong with it. */
export const troubleBox = (trouble: FormTrouble): Html | false =>
	isTroubled(trouble) && errorBox(trouble.error ?? "Please correct what is marked below.");

/** The form on the page of a mailed link with one answer: a button and hidden fields. */
export const answerForm = (
	{ url, token }: { readonly url: string; readonly token: string },
	button: Html,
	hidden: Readonly<Record<string, string>> = {},
): Html => form(`${url}?token=${token}`, { hidden, body: html`<div class="actions">${button}</div>` });
