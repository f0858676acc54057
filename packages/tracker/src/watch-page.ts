// Set by the build, which makes a script of each combination, so that pages load only the features they use.
declare const WITH_404: boolean;
declare const WITH_DOWNLOAD: boolean;
declare const WITH_FORM: boolean;
declare const WITH_OUTBOUND: boolean;
declare const WITH_SCROLL: boolean;

type Safe = <Input extends unknown[]>(work: (...input: Input) => void) => (...input: Input) => void;
type Send = (type: string, properties: Record<string, unknown>) => void;

const file =
	/\.(7z|apk|avi|csv|deb|dmg|docx?|epub|exe|gz|ics|iso|key|mov|mp[34]|msi|od[pst]|pdf|pkg|pptx?|rar|rpm|rtf|tar|txt|wav|xlsx?|zip)$/i;

/** Sends what happens on the page by itself as microconversions. Addresses go without query and fragment. */
export function watchPage(safe: Safe, send: Send): void {
	if (WITH_404) {
		const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
		if (page?.responseStatus === 404) send("404", { path: location.pathname });
	}
	if (WITH_DOWNLOAD || WITH_OUTBOUND) {
		const follow = safe((event: MouseEvent) => {
			// The path reaches into open shadow trees, where the target does not.
			const link = event.composedPath().find((node) => (node as Element).tagName === "A") as HTMLAnchorElement;
			// The right button opens a menu and no link. Mail, telephone and script links have no host.
			if (event.button > 1 || !link.host) return;
			const url = link.origin + link.pathname;
			if (WITH_DOWNLOAD && (link.hasAttribute("download") || file.test(url))) send("download", { url });
			else if (WITH_OUTBOUND && link.host !== location.host) send("outbound", { url });
		});
		// Ahead of the page's own listeners, which may stop the event.
		addEventListener("auxclick", follow, true);
		addEventListener("click", follow, true);
	}
	if (WITH_FORM) {
		// Attributes, as a field with such a name hides the form's property.
		const submit = safe(({ target }: Event) => {
			const named = (name: string) => (target as Element).getAttribute(name);
			send("form", { form: named("id") || named("name") || "", path: location.pathname });
		});
		addEventListener("submit", submit, true);
	}
	if (WITH_SCROLL) {
		let depth = 0;
		let page = "";
		addEventListener(
			"scroll",
			safe(() => {
				const route = location.pathname + location.hash.replace(/^#!?[^/!].*/, "");
				if (route !== page) depth = 0;
				page = route;
				// Zoomed pages end a fraction of a pixel early.
				const seen = ((scrollY + innerHeight + 1) / document.documentElement.scrollHeight) * 100;
				for (; depth < 100 && seen >= depth + 25; send("scroll", { depth })) depth += 25;
			}),
		);
	}
}
