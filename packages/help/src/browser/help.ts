/** Content wider than its place scrolls, by keyboard too. */
function reachScrollers(): void {
	for (const element of document.querySelectorAll<HTMLElement>(".scroll")) {
		if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
		else element.removeAttribute("tabindex");
	}
}

const dialog = document.querySelector<HTMLDialogElement>("dialog.search");

/** Opens the search at once, so that no key is lost; its index is loaded at first use. */
async function openSearch(): Promise<void> {
	if (dialog?.open !== false) return;
	dialog.showModal();
	dialog.querySelector("input")?.select();
	await (await import("./search.ts")).prepareSearch();
}

const isTyping = (target: EventTarget | null) =>
	target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));

for (const button of document.querySelectorAll<HTMLElement>("[data-search]")) {
	button.hidden = false;
	button.addEventListener("click", openSearch);
}
document.addEventListener("keydown", (event) => {
	if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
	event.preventDefault();
	void openSearch();
});
addEventListener("resize", reachScrollers);
reachScrollers();
