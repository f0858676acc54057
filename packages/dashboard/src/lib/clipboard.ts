/** Copies a text; where the page has no right to the clipboard (no HTTPS), by a field that is selected for a moment. */
export async function copy(text: string): Promise<void> {
	if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
	const field = document.createElement("textarea");
	field.value = text;
	field.style.position = "fixed";
	// A dialog keeps the focus to itself.
	(document.querySelector("dialog[open]") ?? document.body).append(field);
	field.select();
	document.execCommand("copy");
	field.remove();
}
