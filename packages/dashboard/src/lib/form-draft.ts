/** Values of text fields and choices by their name; passwords, codes and files are never kept. */
type Draft = Readonly<Record<string, string | boolean>>;

const keyOf = (name: string) => `footfall-draft ${location.pathname} ${name}`;
/** `data-secret` marks other fields that hold secrets. */
const isSecret = ({ type, autocomplete, name, dataset }: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement) =>
	name === "" ||
	"secret" in dataset ||
	["password", "file", "hidden"].includes(type) ||
	autocomplete === "one-time-code";

const fieldsOf = (form: HTMLFormElement) =>
	[...form.elements].filter(
		(one): one is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement =>
			(one instanceof HTMLInputElement || one instanceof HTMLSelectElement || one instanceof HTMLTextAreaElement) &&
			!isSecret(one),
	);

const isChecked = (field: Element): field is HTMLInputElement =>
	field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type);

/** Which of several fields of one name it is: of choices by value, else there is one. */
const slotOf = (field: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement) =>
	isChecked(field) ? `${field.name}=${field.value}` : field.name;

/** Keeps what has been typed into a form, in this tab, so that a session that ends meanwhile takes nothing along. */
export function keepDraft(name: string, form: HTMLFormElement): void {
	const draft: Draft = Object.fromEntries(
		fieldsOf(form).map((field) => [slotOf(field), isChecked(field) ? field.checked : field.value]),
	);
	keepDraftOf(name, draft);
}

/** Keeps anything under the name of a draft. */
export const keepDraftOf = (name: string, draft: unknown): void =>
	sessionStorage.setItem(keyOf(name), JSON.stringify(draft));

/** The draft of a name. */
export function keptDraft<T>(name: string): T | undefined {
	const kept = sessionStorage.getItem(keyOf(name));
	return kept === null ? undefined : (JSON.parse(kept) as T);
}

/** Brings back what was typed before; true when there was something. */
export function restoreDraft(name: string, form: HTMLFormElement): boolean {
	const draft = keptDraft<Draft>(name);
	if (draft === undefined) return false;
	for (const field of fieldsOf(form)) {
		const value = draft[slotOf(field)];
		if (isChecked(field) && typeof value === "boolean") field.checked = value;
		else if (typeof value === "string") field.value = value;
	}
	return true;
}

/** Forgets it: it has been sent, or thrown away. */
export const dropDraft = (name: string): void => sessionStorage.removeItem(keyOf(name));
